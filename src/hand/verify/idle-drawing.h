/* SPDX-License-Identifier: Apache-2.0 */
/* Places that draw themselves again and again without anybody doing anything: a blinking caret, a
 * clock. What is drawn there says nothing about an action. */
#pragma once

#include "hand/desktop/windows.h"

typedef struct HfIdleDrawing HfIdleDrawing;

HfIdleDrawing *hf_idle_drawing_new(void);
void hf_idle_drawing_free(HfIdleDrawing *restless);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfIdleDrawing, hf_idle_drawing_free)

/* What was drawn (HfRect) while nobody acted, up to `now_us`, when there were these windows. A
 * place counts from the second time on, and not for ever: it is forgotten after a while, and when
 * the window that shows there has gone or is elsewhere. Large places never do: something may well
 * happen in them. */
void hf_idle_drawing_note(HfIdleDrawing *restless, const GArray *idle, const GPtrArray *windows,
                          gint64 now_us);
/* Whether such a place takes up a good part of this one: not a caret in a field. */
gboolean hf_idle_drawing_holds(const HfIdleDrawing *restless, HfRect rect);
/* Takes such places out of `drawn` and adds them to `aside` (NULL: nowhere), but none that holds
 * `target`: what was acted on counts. */
void hf_idle_drawing_remove(const HfIdleDrawing *restless, GArray *drawn, HfPoint target,
                            gint64 now_us, GArray *aside);
