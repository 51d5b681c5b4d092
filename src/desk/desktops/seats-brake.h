/* SPDX-License-Identifier: Apache-2.0 */
/* The brakes of all desktops. */
#pragma once

#include "desk/desktops/seat.h"
#include "desk/guard/stop/stop-control.h"

/* Applies the brake that the guard asks for, and waits for it. `anew`: also where it does not
 * change. Returns what could not be stopped: [{desktop, running, reason}]. */
json_t *hf_seats_brake(const GPtrArray *seats, HfGuard *guard, gboolean anew);
