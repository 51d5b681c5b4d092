/* SPDX-License-Identifier: Apache-2.0 */
/* Times and limits of verifying what an action changed. */
#pragma once

/* The observer waits until the screen has been still for QUIET, or only for REST once an effect was
 * seen, and never longer than MOST. */
#define HF_EFFECT_QUIET_MS 150
#define HF_EFFECT_REST_MS  30
#define HF_EFFECT_MOST_MS  1000
/* What changes by itself mostly does so once a second. A change of something that was not seen to
 * be still for this long before the action must stay for as long afterwards to count. */
#define HF_EFFECT_CALM_MS 1200
/* The most time for that, when one thing after the other turns out to change by itself. */
#define HF_EFFECT_STAY_MS 2500
/* Limits of reading the elements of a program. For a larger or slower one only the windows are
 * compared. */
#define HF_EFFECT_TREE_MS    500
#define HF_EFFECT_TREE_NODES 3000
/* The time to read them when somebody waits: right before an action at a point, and for the next
 * action. */
#define HF_EFFECT_SOON_MS 150
/* How long a program that was too slow is left alone. */
#define HF_EFFECT_TREE_SKIP_MS 3000
/* What a report lists at most. */
#define HF_LIMIT_EFFECT_RECTS    12u
#define HF_LIMIT_EFFECT_WINDOWS  16u
#define HF_LIMIT_EFFECT_ELEMENTS 20u
