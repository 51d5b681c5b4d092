/* SPDX-License-Identifier: Apache-2.0 */
/* Places that are redrawn again and again while nobody acts: a blinking caret, a clock. What is
 * drawn there proves nothing about an action. */
#pragma once

#include "hand/desktop/windows.h"

typedef struct HfIdleDrawing HfIdleDrawing;

HfIdleDrawing *hf_idle_drawing_new(void);
void hf_idle_drawing_free(HfIdleDrawing *idle);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfIdleDrawing, hf_idle_drawing_free)

/* Notes what was drawn (HfRect) while nobody acted, up to `now_us`, with the windows of that time.
 * A place counts from the second time on. It is forgotten after a while, and when the window there
 * closed or moved. Large places never count: an action may well change something in them. */
void hf_idle_drawing_note(HfIdleDrawing *idle, const GArray *drawn, const GPtrArray *windows,
                          gint64 now_us);
/* Whether such a place fills a good part of this one: not a caret in a field. */
gboolean hf_idle_drawing_holds(const HfIdleDrawing *idle, HfRect rect);
/* Moves such places from `drawn` to `aside` (NULL: drops them), except those that contain `target`:
 * what was acted on counts. */
void hf_idle_drawing_remove(const HfIdleDrawing *idle, GArray *drawn, HfPoint target, gint64 now_us,
                            GArray *aside);
