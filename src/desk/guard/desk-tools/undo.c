/* SPDX-License-Identifier: Apache-2.0 */
/* Undoes changes, the latest first. Each undo is an ordinary call by the same caller through the
 * whole guard, and the hand does it only if the world is still as the change left it. So a change
 * can be undone although others came after it. A client undoes its own changes, the owner all. */
#include "desk/guard/desk-tools/undo.h"

#include "desk/records/ledger/ledger.h"
#include "desk/records/records-limits.h"
#include "desk/records/store/ledger-rows.h"
#include "shared/base/error.h"

static gboolean fail_nothing_to_undo(const HfPassage *passage, GError **error)
{
    hf_fail(error, HF_ERROR_PRECONDITION_FAILED, "there is no change left to undo (%s %s)",
            passage->by_desktop ? "desktop" : "run",
            passage->by_desktop ? passage->desktop : passage->answer->run_id);
    hf_error_suggest(error, "see the changes: handfast ledger list");
    return FALSE;
}

/* Whose changes this call may undo; NULL: everybody's. */
static const char *get_undoable_caller(const HfPassage *passage)
{
    const HfCaller *caller = passage->request->caller;
    return hf_caller_is_owner(caller, NULL) ? NULL : hf_ledger_caller_name(caller->name);
}

static GPtrArray *find_last(HfPassage *passage, GError **error)
{
    passage->by_desktop = g_str_equal(hf_json_string(passage->params, "scope", "run"), "desktop");
    HfLedgerFilter filter = {.run_id = passage->by_desktop ? NULL : passage->answer->run_id,
                             .desktop = passage->desktop,
                             .caller = get_undoable_caller(passage),
                             .open = TRUE,
                             .limit = hf_json_bool(passage->params, "skip", FALSE)
                                          ? HF_LIMIT_LEDGER
                                          : (int)hf_json_int(passage->params, "count", 1)};
    GPtrArray *found = hf_ledger_rows_list(passage->guard->store, &filter, error);
    if (!found || found->len > 0)
        return found;
    g_ptr_array_unref(found);
    fail_nothing_to_undo(passage, error);
    return NULL;
}

/* That step and, unless only that one is wanted, what its run changed after it. */
static GPtrArray *find_since(HfPassage *passage, GError **error)
{
    const char *step_id = hf_json_string(passage->params, "step_id", "");
    g_autoptr(GError) problem = NULL;
    g_autoptr(HfLedgerEntry) first = hf_ledger_row_find(passage->guard->store, step_id, &problem);
    if (problem) {
        g_propagate_error(error, g_steal_pointer(&problem));
        return NULL;
    }
    const char *whose = get_undoable_caller(passage);
    gboolean known = first && g_str_equal(first->desktop, passage->desktop) &&
                     (!whose || g_str_equal(first->caller, whose));
    if (!known || *first->undone_by) {
        hf_fail(error, HF_ERROR_PRECONDITION_FAILED, "%s",
                known ? "this step was already undone"
                      : "no change of yours by that step is known on this desktop");
        hf_error_suggest(error, "see the changes: handfast ledger list");
        return NULL;
    }
    if (hf_json_bool(passage->params, "only", FALSE)) {
        GPtrArray *alone = g_ptr_array_new_with_free_func((GDestroyNotify)hf_ledger_entry_free);
        g_ptr_array_add(alone, g_steal_pointer(&first));
        return alone;
    }
    HfLedgerFilter filter = {.run_id = first->run_id,
                             .desktop = passage->desktop,
                             .caller = whose,
                             .from_id = first->id,
                             .open = TRUE,
                             .limit = HF_LIMIT_LEDGER};
    return hf_ledger_rows_list(passage->guard->store, &filter, error);
}

/* What to undo and, with `skip`, what to leave. */
typedef struct Plan {
    GPtrArray *entries; /* HfLedgerEntry */
    json_t *left;       /* of {step_id, tool, why} */
} Plan;

static void plan_clear(Plan *plan)
{
    g_clear_pointer(&plan->entries, g_ptr_array_unref);
    json_decref(plan->left);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Plan, plan_clear)

/* Drops what cannot be undone, and what goes beyond the wanted number. */
static void pass_over(HfPassage *passage, Plan *plan)
{
    guint wanted = passage->tool->service == HF_SERVICE_UNDO_TO
                       ? G_MAXUINT
                       : (guint)hf_json_int(passage->params, "count", 1);
    for (guint i = 0; i < plan->entries->len && i < wanted;) {
        const HfLedgerEntry *entry = plan->entries->pdata[i];
        const char *none = hf_json_string(entry->undo, "none", NULL);
        if (!none) {
            i++;
            continue;
        }
        json_array_append_new(plan->left, json_pack("{s:s, s:s, s:s}", "step_id", entry->step_id,
                                                    "tool", entry->tool, "why", none));
        g_ptr_array_remove_index(plan->entries, i);
    }
    if (plan->entries->len > wanted)
        g_ptr_array_set_size(plan->entries, (gint)wanted);
}

static gboolean make_plan(HfPassage *passage, Plan *plan, GError **error)
{
    plan->entries = passage->tool->service == HF_SERVICE_UNDO_TO ? find_since(passage, error)
                                                                 : find_last(passage, error);
    plan->left = json_array();
    if (!plan->entries)
        return FALSE;
    if (hf_json_bool(passage->params, "skip", FALSE))
        pass_over(passage, plan);
    return plan->entries->len > 0 || fail_nothing_to_undo(passage, error);
}

static gboolean check_possible(const HfLedgerEntry *entry, GError **error)
{
    const char *none = hf_json_string(entry->undo, "none", NULL);
    if (!none)
        return TRUE;
    hf_fail(error, HF_ERROR_PRECONDITION_FAILED, "%s (%s) cannot be undone: %s", entry->tool,
            entry->step_id, none);
    hf_error_take_details(error,
                          json_pack("{s:s, s:s}", "step_id", entry->step_id, "tool", entry->tool));
    hf_error_suggest(error, "leave out what cannot be undone: skip true (handfast undo --skip)");
    return FALSE;
}

/* The policy and the bounds of the undo itself hold for the calls that it makes. */
static void hand_on(const HfPassage *passage, const HfLedgerEntry *entry, json_t *params)
{
    static const char *const names[] = {"project", "approval", "grant"};
    for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
        json_t *value = json_object_get(passage->request->params, names[i]);
        if (value)
            json_object_set(params, names[i], value);
    }
    g_autofree char *reason = g_strdup_printf("undo of %s %s", entry->tool, entry->step_id);
    json_object_set_new(params, "desktop", hf_json_text(entry->desktop));
    json_object_set_new(params, "run_id", hf_json_text(passage->answer->run_id));
    json_object_set_new(params, "reason", hf_json_text(reason));
}

/* The id of the step that undid it; NULL with an error. */
static char *undo_change(HfPassage *passage, const HfLedgerEntry *entry, GError **error)
{
    g_autoptr(json_t) undo = json_deep_copy(entry->undo);
    if (!check_possible(entry, error) ||
        !hf_undo_secrets_put_back(hf_ledger_get_secrets(passage->guard->ledger), entry->step_id,
                                  undo, error))
        return NULL;
    json_t *params = json_object_get(undo, "params");
    hand_on(passage, entry, params);
    HfRequest request = *passage->request;
    request.tool = hf_json_string(undo, "tool", "");
    request.params = params;
    request.cancellable = passage->cancellable;
    request.expect = json_object_get(undo, "expect");
    request.undoes = entry->step_id;
    request.operation = NULL;
    g_autoptr(HfAnswer) answer = hf_guard_call(passage->guard, &request);
    passage->inner_reads |= answer->untrusted;
    if (answer->error) {
        g_propagate_error(error, g_steal_pointer(&answer->error));
        return NULL;
    }
    hf_ledger_row_mark_undone(passage->guard->store, entry->step_id, answer->step_id, NULL);
    return g_strdup(answer->step_id);
}

HfResult *hf_undo_run(HfPassage *passage, GError **error)
{
    g_auto(Plan) plan = {0};
    g_autoptr(json_t) undone = json_array();
    if (!make_plan(passage, &plan, error))
        return NULL;
    for (guint i = 0; i < plan.entries->len; i++) {
        const HfLedgerEntry *entry = plan.entries->pdata[i];
        g_autofree char *by = undo_change(passage, entry, error);
        g_autofree char *what = hf_ledger_dup_what(entry);
        if (!by && json_array_size(undone) > 0)
            hf_error_take_details(
                error, json_pack("{s:O, s:s}", "undone", undone, "failed", entry->step_id));
        if (!by)
            return NULL;
        json_array_append_new(undone, json_pack("{s:s, s:s, s:o*, s:s}", "step_id", entry->step_id,
                                                "tool", entry->tool, "what",
                                                what ? hf_json_text(what) : NULL, "by", by));
    }
    json_t *result = json_pack("{s:O}", "undone", undone);
    if (json_array_size(plan.left) > 0)
        json_object_set(result, "left", plan.left);
    return hf_result_new(result);
}

json_t *hf_undo_preview(HfPassage *passage, GError **error)
{
    g_auto(Plan) plan = {0};
    if (!make_plan(passage, &plan, error))
        return NULL;
    json_t *steps = json_array();
    for (guint i = 0; i < plan.entries->len; i++) {
        const HfLedgerEntry *entry = plan.entries->pdata[i];
        const char *none = hf_json_string(entry->undo, "none", NULL);
        g_autofree char *what = hf_ledger_dup_what(entry);
        json_array_append_new(
            steps, json_pack("{s:s, s:s, s:o*, s:s*, s:s*}", "step_id", entry->step_id, "tool",
                             entry->tool, "what", what ? hf_json_text(what) : NULL, "by",
                             hf_json_string(entry->undo, "tool", NULL), "cannot", none));
    }
    json_t *target = json_pack("{s:s, s:o}", "kind", "changes", "steps", steps);
    if (json_array_size(plan.left) > 0)
        json_object_set(target, "left", plan.left);
    return target;
}
