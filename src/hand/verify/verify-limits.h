/* SPDX-License-Identifier: Apache-2.0 */
/* Times and limits of verifying what an action brought about. */
#pragma once

/* The observer waits until the screen has rested for the first time, or only for the second once
 * an effect was seen, and never longer than the third. */
#define HF_EFFECT_QUIET_MS 150
#define HF_EFFECT_REST_MS  30
#define HF_EFFECT_MOST_MS  1000
/* Things that change by themselves mostly do so once a second. What was not seen to be still for
 * longer than this before an action must be still for as long afterwards to count as its effect.
 */
#define HF_EFFECT_CALM_MS 1200
/* The longest time for that, when one thing after the other turns out to be restless. */
#define HF_EFFECT_STAY_MS 2500
/* Reading the elements of a program: time, and elements. Of a larger or slower program only the
 * windows are compared. */
#define HF_EFFECT_TREE_MS    500
#define HF_EFFECT_TREE_NODES 3000
/* The time right before an action at a point, and after an action for the next one. */
#define HF_EFFECT_SOON_MS 150
/* How long a program that was too slow is not tried again. */
#define HF_EFFECT_TREE_SKIP_MS 3000
/* What a report lists: rectangles, windows, elements. */
#define HF_LIMIT_EFFECT_RECTS    12u
#define HF_LIMIT_EFFECT_WINDOWS  16u
#define HF_LIMIT_EFFECT_ELEMENTS 20u
