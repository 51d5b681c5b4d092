/* SPDX-License-Identifier: Apache-2.0 */
/* The list of changes for people, and the secrets that undoing some of them needs. */
#include "desk/records/ledger/ledger.h"

#include "desk/records/ledger/undo-secrets.h"
#include "desk/records/store/ledger-rows.h"
#include "shared/base/error.h"
#include "shared/base/json.h"
#include "shared/tool/registry.h"
#include "shared/tool/undo-reason.h"

struct HfLedger {
    HfUndoSecrets *secrets;
};

HfLedger *hf_ledger_new(void)
{
    HfLedger *ledger = g_new0(HfLedger, 1);
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

json_t *hf_ledger_describe(HfStore *store, const char *run_id, const char *desktop, int limit,
                           GError **error)
{
    HfLedgerFilter filter = {.run_id = run_id, .desktop = desktop, .limit = limit};
    g_autoptr(GPtrArray) entries = hf_ledger_rows_list(store, &filter, error);
    if (!entries)
        return NULL;
    json_t *list = json_array();
    for (guint i = 0; i < entries->len; i++)
        json_array_append_new(list, describe_ledger_entry(entries->pdata[i]));
    return json_pack("{s:o}", "changes", list);
}
