/* SPDX-License-Identifier: Apache-2.0 */
/* Turns: one call at a time uses the screen or the input of a desktop, first come, first served. */
#pragma once

#include "shared/base/deadline.h"

typedef struct HfDesktopTurns HfDesktopTurns;
typedef struct HfDesktopTurn HfDesktopTurn;

HfDesktopTurns *hf_desktop_turns_new(void);
void hf_desktop_turns_free(HfDesktopTurns *turns);

/* How many may wait for one desktop, and how many of those for one target. */
typedef struct HfDesktopTurnLimits {
    guint total, per_target;
} HfDesktopTurnLimits;

/* Waits for the turn; NULL with an error on timeout or cancellation. When the limits are exceeded,
 * the call that has waited longest is dropped with QUEUE_OVERFLOW. `target`: what the call is
 * about; NULL counts for the total only. */
HfDesktopTurn *hf_desktop_turns_take(HfDesktopTurns *turns, const char *desktop, const char *target,
                                     const HfDesktopTurnLimits *limits, const HfDeadline *deadline,
                                     GError **error);
/* How many have or await their turn. */
guint hf_desktop_turns_count(HfDesktopTurns *turns, const char *desktop);
void hf_desktop_turns_leave(HfDesktopTurns *turns, HfDesktopTurn *turn);
