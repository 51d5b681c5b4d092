/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps refusals from filling the disk: a caller that repeats what is refused gets a few rows in
 * the audit, and then one row a minute that says how many more there were. Any thread. */
#pragma once

#include "desk/records/audit/audit.h"
#include "shared/base/error.h"

typedef struct HfRefusalCounter HfRefusalCounter;

/* The audit must outlive it. `window_ms`: how long refusals are counted together. */
HfRefusalCounter *hf_refusal_counter_new(HfAudit *audit, gint64 window_ms);
/* Writes what it has counted. */
void hf_refusal_counter_free(HfRefusalCounter *counter);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfRefusalCounter, hf_refusal_counter_free)

/* `what`: the tool or method; NULL: one that does not exist. `caller` NULL: refused at a door.
 * TRUE: the audit should have a row of this refusal. FALSE: it is counted; the event "refusals"
 * {tool, code, count, first, last} will tell. */
gboolean hf_refusal_counter_note(HfRefusalCounter *counter, const HfCaller *caller,
                                 const char *what, HfErrorCode code);
