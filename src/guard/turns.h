/* Whose turn it is on each desktop: one call at a time that needs the screen or the input, first
 * come, first served. */
#pragma once

#include "base/deadline.h"

typedef struct HfTurns HfTurns;
typedef struct HfTurn HfTurn;

HfTurns *hf_turns_new(void);
void hf_turns_free(HfTurns *turns);

/* Waits for the turn; NULL with an error when time runs out or the call is cancelled. */
HfTurn *hf_turns_take(HfTurns *turns, const char *desktop, const HfDeadline *deadline,
                      GError **error);
void hf_turns_leave(HfTurns *turns, HfTurn *turn);
