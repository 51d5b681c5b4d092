/* SPDX-License-Identifier: Apache-2.0 */
/* Between the guard's holds and the hands: what hands tell goes up, what holds goes down. */
#pragma once

#include "desk/desktops/desk.h"
#include "desk/guard/stop/stop-control.h"

extern const HfGuardHands hf_desk_guard_hands;

/* What a hand told by itself (HfSeatOptions.event); `desk` is the HfDesk. */
void hf_desk_handle_hand_event(const char *desktop, const json_t *event, gpointer desk);
