/* SPDX-License-Identifier: Apache-2.0 */
/* The calls that a hand has in hand: started on the pool, cancelled by the desk. */
#pragma once

#include "hand/safety/brake.h"
#include "shared/base/types.h"
#include "shared/wire/frame.h"
#include "shared/wire/hold-table.h"

typedef struct HfJobs HfJobs;

/* `take_releases`: where calls are held until the desk lets them go. */
HfJobs *hf_jobs_new(HfDesktop *desktop, int fd, HfHoldTable *take_releases);
/* Cancels all, waits for them to end, frees. */
void hf_jobs_free(HfJobs *jobs);
/* Calls off what the brake forbids: everything, or for TAKEOVER only what is input. What is called
 * off ends with the reason and with what was done. */
void hf_jobs_cancel_for_brake(HfJobs *jobs, HfBrakeKind kind);
void hf_jobs_set_captures_while_locked(HfJobs *jobs, gboolean allowed);
/* An event for the desk: {"event": NAME, ...}; its type is added. */
void hf_jobs_send_event(HfJobs *jobs, json_t *take_event);
/* A message from the desk: a call, whose parameters are taken out of it, or a cancellation. */
void hf_jobs_receive(HfJobs *jobs, HfFrame *frame);
