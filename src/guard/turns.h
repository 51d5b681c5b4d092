/* Whose turn it is on each desktop: one call at a time that needs the screen or the input, first
 * come, first served. */
#pragma once

#include "base/deadline.h"

typedef struct HfTurns HfTurns;
typedef struct HfTurn HfTurn;

HfTurns *hf_turns_new(void);
void hf_turns_free(HfTurns *turns);

/* How many may wait for one desktop, and of those, for one target. */
typedef struct HfTurnLimits {
    guint total, per_target;
} HfTurnLimits;

/* Waits for the turn; NULL with an error when time runs out or the call is cancelled. When more
 * would wait than the limits allow, the one that has waited longest is dropped: QUEUE_OVERFLOW for
 * it. `target` says what the call is about; NULL counts for the total only. */
HfTurn *hf_turns_take(HfTurns *turns, const char *desktop, const char *target,
                      const HfTurnLimits *limits, const HfDeadline *deadline, GError **error);
/* How many have or await their turn there. */
guint hf_turns_count(HfTurns *turns, const char *desktop);
void hf_turns_leave(HfTurns *turns, HfTurn *turn);
