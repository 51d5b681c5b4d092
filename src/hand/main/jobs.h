/* SPDX-License-Identifier: Apache-2.0 */
/* The running calls of a hand: started on a thread pool, cancelled by the desk or the brake. */
#pragma once

#include "hand/safety/brake.h"
#include "shared/base/types.h"
#include "shared/wire/frame.h"
#include "shared/wire/hold-table.h"

typedef struct HfJobs HfJobs;

/* `take_holds`: calls wait in it until the desk releases them. */
HfJobs *hf_jobs_new(HfDesktop *desktop, int fd, HfHoldTable *take_holds);
/* Cancels all calls, waits for them to end, and frees. */
void hf_jobs_free(HfJobs *jobs);
/* Cancels what the brake forbids: everything, or for TAKEOVER only input. The error of a cancelled
 * call has the reason and what was done. */
void hf_jobs_cancel_for_brake(HfJobs *jobs, HfBrakeKind kind);
void hf_jobs_set_captures_while_locked(HfJobs *jobs, gboolean allowed);
/* Sends the desk an event {"event": NAME, ...}; adds its type. */
void hf_jobs_send_event(HfJobs *jobs, json_t *take_event);
/* Takes a message from the desk: a call, whose parameters are moved out of it, or a cancellation.
 */
void hf_jobs_receive(HfJobs *jobs, HfFrame *frame);
