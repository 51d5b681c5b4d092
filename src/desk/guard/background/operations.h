/* SPDX-License-Identifier: Apache-2.0 */
/* Calls that go on in the background (`async`). Each is the same call through the same guard, on a
 * thread of its own and with its own deadline; whoever asked for it gets a name for it at once, and
 * may ask how it stands, wait for it or call it off. How many there can be has bounds; what came of
 * them is kept for a day, and a desk that starts anew says of those that it cannot know. */
#pragma once

#include "desk/guard/guard.h"

typedef struct HfOperations HfOperations;
typedef struct HfOperation HfOperation;

/* Binary parts are kept in `directory`, made when it is needed. What an earlier desk has left in
 * the middle is marked as lost. */
HfOperations *hf_operations_new(HfGuard *guard, const char *directory);
/* Calls off all of them and waits for their end; later ones are refused. May be called twice. */
void hf_operations_finish(HfOperations *operations);
void hf_operations_free(HfOperations *operations);

struct HfPassage;
/* Sets the passage's call off in the background; the answer's `operation` says which it is. FALSE:
 * RATE_LIMITED or QUEUE_OVERFLOW, or the store does not take it. */
gboolean hf_operations_begin(HfOperations *operations, struct HfPassage *passage, GError **error);
/* Whether the caller has set off this very call before, by its idempotency_key: the answer names
 * that operation then. CONFLICT when the key was used for another call. */
gboolean hf_operations_replay(HfOperations *operations, struct HfPassage *passage, GError **error);

/* {id, status, tool, ...}; with the whole answer, binary parts included, when there is one. Waits
 * until `wait_ms` have passed or it has ended. FORBIDDEN for others' unless the caller sees all,
 * OPERATION_NOT_FOUND. */
HfResult *hf_operations_status(HfOperations *operations, struct HfPassage *passage, GError **error);
/* Calls it off, and tells how it stands. */
HfResult *hf_operations_cancel(HfOperations *operations, struct HfPassage *passage, GError **error);
/* {operations: [...]}, the latest first: the caller's own, or everybody's to those who see all. */
json_t *hf_operations_describe(HfOperations *operations, const HfCaller *caller, int limit,
                               GError **error);

/* What a call that takes long knows of how far it is; does nothing for NULL. Any thread. */
void hf_operation_set_progress(HfOperation *operation, json_t *take_progress);
/* Under which names the background call runs; borrowed. */
const char *hf_operation_get_run(const HfOperation *operation);
const char *hf_operation_get_step(const HfOperation *operation);
