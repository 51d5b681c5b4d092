/* SPDX-License-Identifier: Apache-2.0 */
/* Puts the brake on: by itself when the owner presses the stop chord or a person uses the mouse or
 * keyboard, and when the desk orders it. Cancels calls, releases held keys and reports to the desk.
 */
#pragma once

#include "hand/main/jobs.h"
#include "shared/base/types.h"

typedef struct HfBrakeControl HfBrakeControl;

HfBrakeControl *hf_brake_control_new(HfDesktop *desktop, HfJobs *jobs);
void hf_brake_control_free(HfBrakeControl *control);

/* Carries out an order of the desk, by its type: `settings` {stop_hotkey, takeover{enabled,
 * quiet_ms, jitter_px}, captures_while_locked}, `brake` {kind: stop | pause | off, number}, which
 * the event `braked` {number} confirms; `touch`: a person uses the desktop; `release` all held keys
 * and buttons; `notify` {title, body}. FALSE for other types. */
gboolean hf_brake_control_receive(HfBrakeControl *control, const json_t *order);
