/* SPDX-License-Identifier: Apache-2.0 */
/* Whose turn it is on each desktop: one call at a time that needs the screen or the input, first
 * come, first served. */
#pragma once

#include "shared/base/deadline.h"

typedef struct HfDesktopTurns HfDesktopTurns;
typedef struct HfDesktopTurn HfDesktopTurn;

HfDesktopTurns *hf_desktop_turns_new(void);
void hf_desktop_turns_free(HfDesktopTurns *turns);

/* How many may wait for one desktop, and of those, for one target. */
typedef struct HfDesktopTurnLimits {
    guint total, per_target;
} HfDesktopTurnLimits;

/* Waits for the turn; NULL with an error when time runs out or the call is cancelled. When more
 * would wait than the limits allow, the one that has waited longest is dropped: QUEUE_OVERFLOW for
 * it. `target` says what the call is about; NULL counts for the total only. */
HfDesktopTurn *hf_desktop_turns_take(HfDesktopTurns *turns, const char *desktop, const char *target,
                                     const HfDesktopTurnLimits *limits, const HfDeadline *deadline,
                                     GError **error);
/* How many have or await their turn there. */
guint hf_desktop_turns_count(HfDesktopTurns *turns, const char *desktop);
void hf_desktop_turns_leave(HfDesktopTurns *turns, HfDesktopTurn *turn);
