/* Between the guard's holds and the hands: what hands tell goes up, what holds goes down. */
#pragma once

#include "desk/desk.h"
#include "guard/holds.h"

extern const HfGuardHands hf_desk_hands;

/* What a hand told by itself (HfSeatOptions.event); `desk` is the HfDesk. */
void hf_desk_on_event(const char *desktop, const json_t *event, gpointer desk);
