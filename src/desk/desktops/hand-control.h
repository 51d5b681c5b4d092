/* SPDX-License-Identifier: Apache-2.0 */
/* Carries events of the hands up to the guard, and holds and settings of the guard down to the
 * hands. */
#pragma once

#include "desk/desktops/desk.h"
#include "desk/guard/stop/stop-control.h"

extern const HfGuardHands hf_desk_guard_hands;

/* An event of a hand (HfSeatOptions.event); `desk` is the HfDesk. */
void hf_desk_handle_hand_event(const char *desktop, const json_t *event, gpointer desk);
