/* SPDX-License-Identifier: Apache-2.0 */
/* Reports the state of operations: from memory while they are known there, from the store later. */
#include "desk/guard/background/operation-table.h"
#include "shared/base/error.h"
#include "shared/base/waiter.h"

/* ---- describing one ---- */

/* `approval` and `progress` may be NULL. */
static json_t *describe_operation(const HfOperationRow *row, const json_t *approval,
                                  const json_t *progress)
{
    gint64 until = row->ended_ms ? row->ended_ms : g_get_real_time() / 1000;
    json_t *json =
        json_pack("{s:s, s:s, s:o, s:o, s:o, s:s, s:I, s:I}", "id", row->id, "status",
                  approval ? "waiting_approval" : row->state, "tool", hf_json_text(row->tool),
                  "desktop", hf_json_text(row->desktop), "run_id", hf_json_text(row->run_id),
                  "step_id", row->step_id, "started_ms", (json_int_t)row->made_ms, "duration_ms",
                  (json_int_t)MAX(0, until - row->made_ms));
    if (row->ended_ms)
        json_object_set_new(json, "ended_ms", json_integer(row->ended_ms));
    if (approval)
        json_object_set_new(json, "approval", json_deep_copy(approval));
    if (progress)
        json_object_set_new(json, "progress", json_deep_copy(progress));
    return json;
}

/* With the lock held. */
static json_t *describe_known(const HfOperation *operation)
{
    json_t *json = describe_operation(operation->row, operation->approval, operation->progress);
    if (operation->cancelled && !operation->row->ended_ms)
        json_object_set_new(json, "cancelling", json_true());
    return json;
}

static HfResult *build_operation_result(json_t *take_described, const HfStoredAnswer *stored)
{
    HfResult *result = hf_result_new(take_described);
    if (!stored->answer)
        return result;
    json_object_set_new(result->json, "answer", json_deep_copy(stored->answer));
    for (guint i = 0; i < stored->parts->len; i++) {
        const HfAttachment *part = stored->parts->pdata[i];
        g_autofree char *field = g_strconcat("answer/result/", part->field, NULL);
        hf_result_add_attachment(result, field, part->media_type, g_bytes_ref(part->bytes));
    }
    return result;
}

/* ---- asking ---- */

static gboolean may_ask(const HfCaller *caller, const char *owner, GError **error)
{
    g_autofree char *key = hf_caller_dup_key(caller);
    return g_str_equal(key, owner) || hf_caller_sees_all(caller) ||
           hf_fail(error, HF_ERROR_FORBIDDEN, "this operation belongs to another caller");
}

static HfOperation *find_known_operation(HfOperations *operations, const char *id)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&operations->lock);
    HfOperation *found = g_hash_table_lookup(operations->known, id);
    if (found)
        g_atomic_ref_count_inc(&found->refs);
    return found;
}

static void await_operation_end(HfOperation *operation, const HfDeadline *deadline)
{
    HfOperations *operations = operation->operations;
    HfWaiter waiter;
    hf_waiter_begin(&waiter, &operations->lock, &operations->changed, deadline->cancellable);
    g_mutex_lock(&operations->lock);
    while (!operation->row->ended_ms && hf_deadline_check(deadline, NULL))
        g_cond_wait_until(&operations->changed, &operations->lock, deadline->at_us);
    g_mutex_unlock(&operations->lock);
    hf_waiter_end(&waiter);
}

static HfResult *result_of_known(HfOperation *operation, HfPassage *passage)
{
    HfOperations *operations = operation->operations;
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&operations->lock);
    HfResult *result = build_operation_result(describe_known(operation), &operation->stored);
    if (operation->stored.answer)
        passage->inner_reads |= (HfReads)operation->row->reads;
    return result;
}

static HfResult *result_of_stored(HfOperations *operations, HfPassage *passage, const char *id,
                                  GError **error)
{
    g_autoptr(GError) problem = NULL;
    g_autoptr(HfOperationRow) row = hf_operation_row_find(operations->guard->store, id, &problem);
    if (problem) {
        g_propagate_error(error, g_steal_pointer(&problem));
        return NULL;
    }
    if (!row) {
        hf_fail(error, HF_ERROR_OPERATION_NOT_FOUND,
                "there is no operation '%s', or it has been forgotten; see: handfast operations",
                id);
        return NULL;
    }
    if (!may_ask(passage->request->caller, row->caller, error))
        return NULL;
    passage->inner_reads |= (HfReads)row->reads;
    g_auto(HfStoredAnswer) stored = hf_operation_load_answer(row, operations->directory);
    return build_operation_result(describe_operation(row, NULL, NULL), &stored);
}

HfResult *hf_operations_status(HfOperations *operations, HfPassage *passage, GError **error)
{
    const char *id = hf_json_string(passage->params, "id", "");
    g_autoptr(HfOperation) operation = find_known_operation(operations, id);
    if (!operation)
        return result_of_stored(operations, passage, id, error);
    if (!may_ask(passage->request->caller, operation->row->caller, error))
        return NULL;
    HfDeadline until =
        hf_deadline_within_ms(&passage->deadline, hf_json_int(passage->params, "wait_ms", 0));
    await_operation_end(operation, &until);
    return result_of_known(operation, passage);
}

HfResult *hf_operations_cancel(HfOperations *operations, HfPassage *passage, GError **error)
{
    const char *id = hf_json_string(passage->params, "id", "");
    g_autoptr(HfOperation) operation = find_known_operation(operations, id);
    if (!operation)
        return result_of_stored(operations, passage, id, error);
    if (!may_ask(passage->request->caller, operation->row->caller, error))
        return NULL;
    g_mutex_lock(&operations->lock);
    operation->cancelled = operation->cancelled || !operation->row->ended_ms;
    g_mutex_unlock(&operations->lock);
    g_cancellable_cancel(operation->cancellable);
    HfDeadline until =
        hf_deadline_within_ms(&passage->deadline, hf_json_int(passage->params, "wait_ms", 0));
    await_operation_end(operation, &until);
    return result_of_known(operation, passage);
}

/* Memory knows more than the row: what the operation waits for, and its progress. */
static json_t *describe_row(HfOperations *operations, const HfOperationRow *row)
{
    g_mutex_lock(&operations->lock);
    const HfOperation *known = g_hash_table_lookup(operations->known, row->id);
    json_t *json = known ? describe_known(known) : describe_operation(row, NULL, NULL);
    g_mutex_unlock(&operations->lock);
    json_object_set_new(json, "caller", hf_json_text(row->caller));
    return json;
}

json_t *hf_operations_describe(HfOperations *operations, const HfCaller *caller, int limit,
                               GError **error)
{
    g_autofree char *key = hf_caller_dup_key(caller);
    const char *only = hf_caller_sees_all(caller) ? NULL : key;
    g_autoptr(GPtrArray) rows =
        hf_operation_rows_list(operations->guard->store, only, limit, error);
    if (!rows)
        return NULL;
    json_t *list = json_array();
    for (guint i = 0; i < rows->len; i++)
        json_array_append_new(list, describe_row(operations, rows->pdata[i]));
    return json_pack("{s:o}", "operations", list);
}
