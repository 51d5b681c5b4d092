/* SPDX-License-Identifier: Apache-2.0 */
/* Step 11: what was changed. */
#include "desk/records/ledger/ledger.h"

#include "desk/guard/passage.h"
#include "desk/records/ledger/undo-secrets.h"
#include "desk/records/store/ledger-rows.h"
#include "shared/base/error.h"
#include "shared/tool/registry.h"
#include "shared/tool/undo-reason.h"

struct HfLedger {
    HfStore *store;
    HfUndoSecrets *secrets;
};

HfLedger *hf_ledger_new(HfStore *store)
{
    HfLedger *ledger = g_new0(HfLedger, 1);
    ledger->store = store;
    ledger->secrets = hf_undo_secrets_new();
    return ledger;
}

void hf_ledger_free(HfLedger *ledger)
{
    if (!ledger)
        return;
    hf_undo_secrets_free(ledger->secrets);
    g_free(ledger);
}

HfUndoSecrets *hf_ledger_get_secrets(HfLedger *ledger)
{
    return ledger->secrets;
}

/* A call that ended like this may have changed something all the same. */
static gboolean may_have_acted(const GError *error)
{
    HfErrorCode code = hf_error_code(error);
    return code == HF_ERROR_OUTCOME_UNKNOWN || code == HF_ERROR_DESKTOP_TIMEOUT ||
           code == HF_ERROR_DESKTOP_ABORTED || code == HF_ERROR_VERIFY_FAILED;
}

/* How it can be taken back; NULL when it has changed nothing. Owned. */
static json_t *undo_of(const HfPassage *passage)
{
    const HfAnswer *answer = passage->answer;
    if (!passage->performed || passage->dry_run || passage->tool->service ||
        (passage->tool->flags & HF_TOOL_READ_ONLY) ||
        (answer->error && !may_have_acted(answer->error)))
        return NULL;
    if (answer->error)
        return json_pack("{s:s}", "none", "how it ended is not known");
    const HfResult *seen = passage->errand.ret_witness;
    json_t *undo = seen ? json_object_get(seen->json, "undo") : NULL;
    if (!undo)
        return json_pack("{s:s}", "none", hf_tool_undo_reason(passage->tool));
    if (g_str_equal(hf_json_string(undo, "none", ""), HF_UNDO_NOTHING))
        return NULL;
    return json_deep_copy(undo);
}

gboolean hf_ledger_has_change(const HfPassage *passage)
{
    g_autoptr(json_t) undo = undo_of(passage);
    return undo != NULL;
}

gboolean hf_ledger_can_undo(const HfPassage *passage)
{
    g_autoptr(json_t) undo = undo_of(passage);
    return undo && !json_object_get(undo, "none");
}

void hf_ledger_write(HfStoreSession *session, HfPassage *passage)
{
    const HfCaller *caller = passage->request->caller;
    g_autoptr(json_t) undo = undo_of(passage);
    if (!undo)
        return;
    hf_undo_secrets_take_from(passage->guard->ledger->secrets, passage->answer->step_id, undo);
    HfLedgerEntry entry = {
        .time_ms = passage->answer->time_ms,
        .step_id = passage->answer->step_id,
        .run_id = passage->answer->run_id,
        .desktop = (char *)passage->desktop,
        .caller = (char *)(caller->name ? caller->name : "unknown"),
        .tool = (char *)passage->tool->name,
        .undo = undo,
        .undoes = (char *)passage->request->undoes,
    };
    /* A row of the audit that cannot be written for the ledger's sake would be the greater loss. */
    hf_ledger_row_add(session, &entry, NULL);
}

static const char *operation_path(const json_t *operation)
{
    return hf_json_string(operation, "path", hf_json_string(operation, "from", NULL));
}

char *hf_ledger_dup_what(const HfLedgerEntry *entry)
{
    const json_t *params = json_object_get(entry->undo, "params");
    const json_t *operations = json_object_get(params, "operations");
    const char *first = operation_path(operations ? json_array_get(operations, 0) : params);
    gsize more = json_array_size(operations) > 1 ? json_array_size(operations) - 1 : 0;
    if (!first)
        return NULL;
    return more > 0 ? g_strdup_printf("%s (+%zu)", first, more) : g_strdup(first);
}

static json_t *describe_ledger_entry(const HfLedgerEntry *entry)
{
    g_autoptr(GDateTime) time = g_date_time_new_from_unix_local(entry->time_ms / 1000);
    g_autofree char *when = g_date_time_format(time, "%Y-%m-%d %H:%M:%S");
    const char *none = hf_json_string(entry->undo, "none", NULL);
    g_autofree char *undo =
        none ? g_strdup_printf("no: %s", none)
             : g_strdup_printf("by %s", hf_json_string(entry->undo, "tool", "?"));
    json_t *json = json_pack("{s:s, s:o, s:s, s:o, s:s, s:o, s:o}", "step_id", entry->step_id,
                             "run_id", hf_json_text(entry->run_id), "tool", entry->tool, "caller",
                             hf_json_text(entry->caller), "when", when, "desktop",
                             hf_json_text(entry->desktop), "undo", hf_json_text(undo));
    g_autofree char *what = hf_ledger_dup_what(entry);
    if (what)
        json_object_set_new(json, "what", hf_json_text(what));
    if (*entry->undoes)
        json_object_set_new(json, "undoes", json_string(entry->undoes));
    if (*entry->undone_by)
        json_object_set_new(json, "undone_by", json_string(entry->undone_by));
    return json;
}

json_t *hf_ledger_describe(HfGuard *guard, const char *run_id, const char *desktop, int limit,
                           GError **error)
{
    HfLedgerFilter filter = {.run_id = run_id, .desktop = desktop, .limit = limit};
    g_autoptr(GPtrArray) entries = hf_ledger_rows_list(guard->store, &filter, error);
    if (!entries)
        return NULL;
    json_t *list = json_array();
    for (guint i = 0; i < entries->len; i++)
        json_array_append_new(list, describe_ledger_entry(entries->pdata[i]));
    return json_pack("{s:o}", "changes", list);
}
