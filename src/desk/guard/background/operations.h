/* SPDX-License-Identifier: Apache-2.0 */
/* Operations: calls that go on in the background (`async`). Each is an ordinary call through the
 * guard, on a thread of its own with its own deadline. The caller gets its id at once, and can ask
 * for its state, wait for it or cancel it. Their number is bounded. Answers are kept for a day; a
 * desk that restarts marks unfinished ones as lost. */
#pragma once

#include "desk/guard/guard.h"

typedef struct HfOperations HfOperations;
typedef struct HfOperation HfOperation;

/* Binary parts are kept in `directory`, created when needed. Marks what an earlier desk left
 * unfinished as lost. */
HfOperations *hf_operations_new(HfGuard *guard, const char *directory);
/* Cancels all of them, waits until they end, and refuses new ones. May be called twice. */
void hf_operations_finish(HfOperations *operations);
void hf_operations_free(HfOperations *operations);

struct HfPassage;
/* Starts the passage's call in the background; the answer's `operation` names it. FALSE:
 * RATE_LIMITED, QUEUE_OVERFLOW, or an error of the store. */
gboolean hf_operations_begin(HfOperations *operations, struct HfPassage *passage, GError **error);
/* Finds the operation that the same call has started before, by its idempotency_key. FALSE: the
 * passage ends, with that operation or with CONFLICT when the key belongs to another call. */
gboolean hf_operations_replay(HfOperations *operations, struct HfPassage *passage, GError **error);

/* {id, status, tool, ...}, and the whole answer with binary parts when there is one. Waits up to
 * `wait_ms` for its end. FORBIDDEN for another caller's unless this one sees all;
 * OPERATION_NOT_FOUND. */
HfResult *hf_operations_status(HfOperations *operations, struct HfPassage *passage, GError **error);
/* Cancels it, and reports like hf_operations_status. */
HfResult *hf_operations_cancel(HfOperations *operations, struct HfPassage *passage, GError **error);
/* {operations: [...]}, the latest first: the caller's, or all of them if the caller sees all. */
json_t *hf_operations_describe(HfOperations *operations, const HfCaller *caller, int limit,
                               GError **error);

/* Reports progress; does nothing for NULL. Any thread. */
void hf_operation_set_progress(HfOperation *operation, json_t *take_progress);
/* The ids under which the background call runs; borrowed. */
const char *hf_operation_get_run(const HfOperation *operation);
const char *hf_operation_get_step(const HfOperation *operation);
