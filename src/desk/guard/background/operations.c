/* SPDX-License-Identifier: Apache-2.0 */
/* The table of operations, under one lock, and the threads that run them. */
#include "desk/guard/background/operations.h"

#include "desk/guard/background/operation-table.h"
#include "desk/guard/guard-limits.h"
#include "shared/base/error.h"
#include "shared/base/id.h"
#include "shared/tool/registry.h"

static HfOperation *operation_ref(HfOperation *operation)
{
    g_atomic_ref_count_inc(&operation->refs);
    return operation;
}

void hf_operation_unref(HfOperation *operation)
{
    if (!operation || !g_atomic_ref_count_dec(&operation->refs))
        return;
    hf_operation_row_free(operation->row);
    hf_caller_free(operation->caller);
    json_decref(operation->params);
    g_object_unref(operation->cancellable);
    json_decref(operation->approval);
    json_decref(operation->progress);
    hf_stored_answer_clear(&operation->stored);
    g_free(operation);
}

static gint64 operations_now_ms(void)
{
    return g_get_real_time() / 1000;
}

static void emit_operation_event(const HfOperation *operation, const char *type,
                                 const HfAnswer *answer)
{
    const HfOperationRow *row = operation->row;
    json_t *data = json_pack("{s:s, s:o, s:o, s:o, s:s, s:o*, s:s}", "operation", row->id, "tool",
                             hf_json_text(row->tool), "desktop", hf_json_text(row->desktop),
                             "run_id", hf_json_text(row->run_id), "step_id", row->step_id, "caller",
                             operation->caller->name ? hf_json_text(operation->caller->name) : NULL,
                             "door", operation->caller->door);
    if (answer) {
        json_object_set_new(data, "status", json_string(row->state));
        json_object_set_new(data, "ok", json_boolean(!answer->error));
        json_object_set_new(
            data, "code",
            json_string(answer->error ? hf_error_code_name(hf_error_code(answer->error)) : "OK"));
        json_object_set_new(data, "duration_ms", json_integer(row->ended_ms - row->made_ms));
    }
    hf_events_emit(operation->operations->guard->events, type, operation->caller, data);
}

/* ---- the end of an operation ---- */

/* With the lock held: bounds the answers in memory. What is dropped is read from the store later.
 */
static void drop_surplus_answers(HfOperations *operations)
{
    while (operations->ended.length > HF_LIMIT_OPERATIONS_KNOWN ||
           (operations->bytes > HF_LIMIT_OPERATIONS_KNOWN_BYTES && operations->ended.length > 1)) {
        HfOperation *oldest = g_queue_pop_head(&operations->ended);
        operations->bytes -= oldest->bytes;
        g_hash_table_remove(operations->known, oldest->row->id);
    }
}

static void prune_stored_operations(HfOperations *operations)
{
    g_autoptr(GPtrArray) gone = hf_operation_rows_prune(
        operations->guard->store, operations_now_ms() - HF_LIMIT_OPERATIONS_KEEP_MS,
        HF_LIMIT_OPERATIONS_STORED, HF_LIMIT_OPERATIONS_FILES_BYTES, NULL);
    hf_operation_remove_files(gone, operations->directory);
}

static const char *operation_state_after(HfOperation *operation, const HfAnswer *answer)
{
    if (!answer->error)
        return "done";
    g_mutex_lock(&operation->operations->lock);
    gboolean cancelled = operation->cancelled;
    g_mutex_unlock(&operation->operations->lock);
    return cancelled && hf_error_code(answer->error) == HF_ERROR_DESKTOP_ABORTED ? "cancelled"
                                                                                 : "failed";
}

/* On the disk first, so that nobody learns of an end that a restarted desk does not know. */
static void save_operation_end(const HfOperation *operation, const char *state, gint64 ended_ms,
                               gint64 reads, const HfStoredAnswer *stored)
{
    HfOperations *operations = operation->operations;
    g_autoptr(HfConfig) config = hf_live_config_get(operations->guard->live_config);
    HfOperationRow row = {
        .id = operation->row->id, .state = (char *)state, .ended_ms = ended_ms, .reads = reads};
    HfAnswerSaveOptions options = {.directory = operations->directory,
                                   .tool = hf_registry_find(operation->row->tool),
                                   .params = operation->params,
                                   .pictures = !hf_config_bool(config, "evidence.no_screenshots")};
    hf_operation_save_answer(&row, stored, &options);
    hf_operation_row_finish(operations->guard->store, &row, NULL);
    json_decref(row.answer);
    json_decref(row.parts);
}

static void end_operation(HfOperation *operation, const HfAnswer *answer)
{
    HfOperations *operations = operation->operations;
    HfStoredAnswer stored = hf_stored_answer_of(answer);
    const char *state = operation_state_after(operation, answer);
    gint64 ended_ms = operations_now_ms();
    save_operation_end(operation, state, ended_ms, answer->untrusted, &stored);
    g_mutex_lock(&operations->lock);
    g_free(operation->row->state);
    operation->row->state = g_strdup(state);
    operation->row->ended_ms = ended_ms;
    operation->row->reads = answer->untrusted;
    g_clear_pointer(&operation->approval, json_decref);
    operation->stored = stored;
    operation->bytes = hf_stored_answer_bytes(&stored);
    operations->bytes += operation->bytes;
    operations->running--;
    g_queue_push_tail(&operations->ended, operation);
    drop_surplus_answers(operations);
    g_cond_broadcast(&operations->changed);
    g_mutex_unlock(&operations->lock);
    emit_operation_event(operation, "operation.finished", answer);
    prune_stored_operations(operations);
}

static void on_operation_waiting(const json_t *approval, gpointer data)
{
    HfOperation *operation = data;
    json_t *waits_for = approval ? json_pack("{s:s, s:I}", "id", hf_json_string(approval, "id", ""),
                                             "expires_ms", hf_json_int(approval, "expires_ms", 0))
                                 : NULL;
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&operation->operations->lock);
    json_decref(operation->approval);
    operation->approval = waits_for;
    g_cond_broadcast(&operation->operations->changed);
}

static void run_background_operation(gpointer data, gpointer user_data)
{
    g_autoptr(HfOperation) operation = data;
    HfOperations *operations = user_data;
    HfRequest request = {.caller = operation->caller,
                         .tool = operation->row->tool,
                         .params = operation->params,
                         .cancellable = operation->cancellable,
                         .waiting = on_operation_waiting,
                         .waiting_data = operation,
                         .operation = operation};
    g_autoptr(HfAnswer) answer = hf_guard_call(operations->guard, &request);
    end_operation(operation, answer);
}

/* ---- the table ---- */

/* An earlier desk ended while it did this. */
static void mark_lost(HfOperations *operations, HfOperationRow *row)
{
    const HfTool *tool = hf_registry_find(row->tool);
    gboolean looks = tool && (tool->flags & HF_TOOL_READ_ONLY);
    g_autoptr(GError) error = NULL;
    if (row->intended && !looks)
        hf_fail(&error, HF_ERROR_OUTCOME_UNKNOWN,
                "the desk ended while it ran %s in the background, so nobody knows whether it was "
                "done; it is not run again",
                row->tool);
    else
        hf_fail(&error, HF_ERROR_DESKTOP_UNAVAILABLE,
                "the desk ended before %s was %s; nothing was changed", row->tool,
                row->intended ? "done" : "begun");
    hf_error_take_details(&error, json_pack("{s:b, s:s, s:s}", "intent_audited", row->intended,
                                            "run_id", row->run_id, "step_id", row->step_id));
    g_free(row->state);
    row->state = g_strdup("lost");
    row->ended_ms = operations_now_ms();
    json_decref(row->answer);
    row->answer = json_pack("{s:b, s:s, s:s, s:s, s:I, s:o}", "ok", 0, "tool", row->tool, "run_id",
                            row->run_id, "step_id", row->step_id, "ts", (json_int_t)row->made_ms,
                            "error", hf_error_to_json(error));
    hf_operation_row_finish(operations->guard->store, row, NULL);
}

HfOperations *hf_operations_new(HfGuard *guard, const char *directory)
{
    HfOperations *operations = g_new0(HfOperations, 1);
    operations->guard = guard;
    operations->directory = g_strdup(directory);
    g_mutex_init(&operations->lock);
    g_cond_init(&operations->changed);
    operations->known =
        g_hash_table_new_full(g_str_hash, g_str_equal, NULL, (GDestroyNotify)hf_operation_unref);
    operations->pool = g_thread_pool_new(run_background_operation, operations,
                                         (int)HF_LIMIT_OPERATIONS, FALSE, NULL);
    g_autoptr(GPtrArray) lost = hf_operation_rows_list_lost(guard->store, NULL);
    for (guint i = 0; lost && i < lost->len; i++)
        mark_lost(operations, lost->pdata[i]);
    prune_stored_operations(operations);
    g_autoptr(GPtrArray) kept =
        hf_operation_rows_list(guard->store, NULL, HF_LIMIT_OPERATIONS_STORED, NULL);
    if (kept)
        hf_operation_remove_orphan_files(kept, operations->directory);
    return operations;
}

void hf_operations_finish(HfOperations *operations)
{
    if (!operations)
        return;
    g_autoptr(GPtrArray) called_off = g_ptr_array_new_with_free_func(g_object_unref);
    GHashTableIter iter;
    gpointer value;
    g_mutex_lock(&operations->lock);
    operations->finishing = TRUE;
    g_hash_table_iter_init(&iter, operations->known);
    while (g_hash_table_iter_next(&iter, NULL, &value))
        g_ptr_array_add(called_off, g_object_ref(((HfOperation *)value)->cancellable));
    g_mutex_unlock(&operations->lock);
    for (guint i = 0; i < called_off->len; i++)
        g_cancellable_cancel(called_off->pdata[i]);
    if (operations->pool)
        g_thread_pool_free(g_steal_pointer(&operations->pool), FALSE, TRUE);
}

void hf_operations_free(HfOperations *operations)
{
    if (!operations)
        return;
    hf_operations_finish(operations);
    g_queue_clear(&operations->ended);
    g_hash_table_unref(operations->known);
    g_mutex_clear(&operations->lock);
    g_cond_clear(&operations->changed);
    g_free(operations->directory);
    g_free(operations);
}

/* ---- starting one ---- */

static HfOperation *operation_new(HfOperations *operations, const HfPassage *passage)
{
    const HfRequest *request = passage->request;
    HfOperationRow *row = g_new0(HfOperationRow, 1);
    row->id = hf_id_new("o");
    row->caller = hf_caller_dup_key(request->caller);
    row->tool = g_strdup(passage->tool->name);
    row->desktop = g_strdup(passage->desktop);
    row->run_id = g_strdup(passage->answer->run_id);
    row->step_id = g_strdup(passage->answer->step_id);
    row->state = g_strdup(HF_OPERATION_RUNNING);
    row->made_ms = operations_now_ms();
    row->key = g_strdup(hf_json_string(request->params, "idempotency_key", ""));
    row->call = hf_idempotency_dup_hash(passage);
    HfOperation *operation = g_new0(HfOperation, 1);
    g_atomic_ref_count_init(&operation->refs);
    operation->operations = operations;
    operation->row = row;
    operation->caller = hf_caller_dup(request->caller);
    operation->params = json_deep_copy(request->params);
    json_object_del(operation->params, "async");
    operation->cancellable = g_cancellable_new();
    return operation;
}

/* With the lock held. */
static guint count_running_operations(HfOperations *operations, const char *caller)
{
    guint count = 0;
    GHashTableIter iter;
    gpointer value;
    g_hash_table_iter_init(&iter, operations->known);
    while (g_hash_table_iter_next(&iter, NULL, &value)) {
        const HfOperationRow *row = ((const HfOperation *)value)->row;
        count += !row->ended_ms && g_str_equal(row->caller, caller) ? 1 : 0;
    }
    return count;
}

/* With the lock held. */
static gboolean has_operation_room(HfOperations *operations, const char *caller, GError **error)
{
    if (operations->finishing)
        return hf_fail(error, HF_ERROR_DESKTOP_UNAVAILABLE, "the desk is shutting down");
    if (operations->running >= HF_LIMIT_OPERATIONS)
        hf_fail(error, HF_ERROR_QUEUE_OVERFLOW, "%u operations are running, which is the limit",
                operations->running);
    else if (count_running_operations(operations, caller) >= HF_LIMIT_OPERATIONS_OF_ONE)
        hf_fail(error, HF_ERROR_RATE_LIMITED,
                "%u operations of this caller are running, which is the limit",
                HF_LIMIT_OPERATIONS_OF_ONE);
    else
        return TRUE;
    hf_error_suggest(error, "wait for one with operation_status, or end one with operation_cancel");
    hf_error_take_details(error, json_pack("{s:i, s:i}", "in_all", (int)HF_LIMIT_OPERATIONS,
                                           "of_one", (int)HF_LIMIT_OPERATIONS_OF_ONE));
    return FALSE;
}

static void answer_with(HfPassage *passage, const HfOperationRow *row, gboolean waits)
{
    HfAnswer *answer = passage->answer;
    answer->operation =
        json_pack("{s:s, s:s}", "id", row->id, "status", waits ? "waiting_approval" : row->state);
    answer->result = hf_result_new(json_object());
    g_free(answer->run_id);
    g_free(answer->step_id);
    answer->run_id = g_strdup(row->run_id);
    answer->step_id = g_strdup(row->step_id);
}

static void remove_operation(HfOperations *operations, HfOperation *operation)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&operations->lock);
    operations->running--;
    g_hash_table_remove(operations->known, operation->row->id);
}

/* With the lock held. */
static HfOperation *find_operation_by_key(HfOperations *operations, const char *caller,
                                          const char *key)
{
    GHashTableIter iter;
    gpointer value;
    g_hash_table_iter_init(&iter, operations->known);
    while (g_hash_table_iter_next(&iter, NULL, &value)) {
        const HfOperationRow *row = ((const HfOperation *)value)->row;
        if (g_str_equal(row->key, key) && g_str_equal(row->caller, caller))
            return value;
    }
    return NULL;
}

/* Ends the passage with that operation, or with an error if the key belongs to another call. Always
 * FALSE. */
static gboolean replay_operation(HfPassage *passage, const HfOperationRow *row, gboolean waits,
                                 GError **error)
{
    g_autofree char *call = hf_idempotency_dup_hash(passage);
    if (!g_str_equal(call, row->call)) {
        hf_fail(error, HF_ERROR_CONFLICT,
                "idempotency_key '%s' was already used for a different call", row->key);
        hf_error_suggest(error,
                         "use a new key for each new call, and the same key only to repeat a call");
        return FALSE;
    }
    answer_with(passage, row, waits);
    passage->answer->replayed = TRUE;
    return FALSE;
}

gboolean hf_operations_begin(HfOperations *operations, HfPassage *passage, GError **error)
{
    g_autoptr(HfOperation) operation = operation_new(operations, passage);
    g_mutex_lock(&operations->lock);
    const char *key = operation->row->key;
    const HfOperation *same =
        *key ? find_operation_by_key(operations, operation->row->caller, key) : NULL;
    if (same)
        replay_operation(passage, same->row, same->approval != NULL, error);
    gboolean fits = !same && has_operation_room(operations, operation->row->caller, error);
    if (fits) {
        operations->running++;
        g_hash_table_insert(operations->known, operation->row->id, operation_ref(operation));
    }
    g_mutex_unlock(&operations->lock);
    if (!fits)
        return passage->answer->operation != NULL;
    if (!hf_operation_row_add(operations->guard->store, operation->row, error)) {
        remove_operation(operations, operation);
        return FALSE;
    }
    answer_with(passage, operation->row, FALSE);
    emit_operation_event(operation, "operation.started", NULL);
    g_thread_pool_push(operations->pool, operation_ref(operation), NULL);
    return TRUE;
}

gboolean hf_operations_replay(HfOperations *operations, HfPassage *passage, GError **error)
{
    const char *key = hf_json_string(passage->request->params, "idempotency_key", NULL);
    if (!key)
        return TRUE;
    g_autofree char *caller = hf_caller_dup_key(passage->request->caller);
    g_mutex_lock(&operations->lock);
    const HfOperation *known = find_operation_by_key(operations, caller, key);
    gboolean goes_on =
        known ? replay_operation(passage, known->row, known->approval != NULL, error) : TRUE;
    g_mutex_unlock(&operations->lock);
    if (known)
        return goes_on;
    g_autoptr(GError) problem = NULL;
    g_autoptr(HfOperationRow) row =
        hf_operation_row_find_by_key(operations->guard->store, caller, key,
                                     operations_now_ms() - HF_LIMIT_OPERATIONS_KEEP_MS, &problem);
    if (!problem)
        return row ? replay_operation(passage, row, FALSE, error) : TRUE;
    g_propagate_error(error, g_steal_pointer(&problem));
    return FALSE;
}

void hf_operation_set_progress(HfOperation *operation, json_t *take_progress)
{
    if (!operation) {
        json_decref(take_progress);
        return;
    }
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&operation->operations->lock);
    json_decref(operation->progress);
    operation->progress = take_progress;
}

const char *hf_operation_get_run(const HfOperation *operation)
{
    return operation->row->run_id;
}

const char *hf_operation_get_step(const HfOperation *operation)
{
    return operation->row->step_id;
}
