/* SPDX-License-Identifier: Apache-2.0 */
/* What a hand does by itself at once, and what it tells the desk about it: on the stop chord and on
 * real input it brakes, calls off what it was doing and lets go of what it holds. The desk's own
 * orders (stop, pause, resume) end here too. */
#pragma once

#include "hand/main/jobs.h"
#include "shared/base/types.h"

typedef struct HfBrakeControl HfBrakeControl;

HfBrakeControl *hf_brake_control_new(HfDesktop *desktop, HfJobs *jobs);
void hf_brake_control_free(HfBrakeControl *reflex);

/* An order of the desk, by its type: `settings` {stop_hotkey, takeover{enabled, quiet_ms,
 * jitter_px}, captures_while_locked}, `brake` {kind: stop | pause | off, number}, which is
 * confirmed by the event `braked` {number}; `release`: let go of everything; `notify` {title,
 * body}. FALSE when it is none of these. */
gboolean hf_brake_control_receive(HfBrakeControl *reflex, const json_t *order);
