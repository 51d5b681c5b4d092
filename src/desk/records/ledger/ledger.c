/* SPDX-License-Identifier: Apache-2.0 */
/* The list of changes for people, and the secrets that undoing some of them needs. */
#include "desk/records/ledger/ledger.h"

#include "desk/records/records-limits.h"
#include "shared/base/error.h"
#include "shared/base/json.h"
#include "shared/base/limits.h"
#include "shared/tool/registry.h"

/* A queue, the oldest first; entries that are too old, too many or too large are dropped from its
 * head. */
typedef struct Secret {
    char *step_id;
    json_t *params;
    gsize bytes;
    gint64 kept_us;
} Secret;

struct HfUndoSecrets {
    GMutex lock;
    GQueue *queue; /* of Secret */
    gsize bytes;
};

static void secret_free(gpointer data)
{
    Secret *secret = data;
    g_free(secret->step_id);
    json_decref(secret->params);
    g_free(secret);
}

HfUndoSecrets *hf_undo_secrets_new(void)
{
    HfUndoSecrets *secrets = g_new0(HfUndoSecrets, 1);
    g_mutex_init(&secrets->lock);
    secrets->queue = g_queue_new();
    return secrets;
}

void hf_undo_secrets_free(HfUndoSecrets *secrets)
{
    g_queue_free_full(secrets->queue, secret_free);
    g_mutex_clear(&secrets->lock);
    g_free(secrets);
}

/* With the lock held. */
static void drop_surplus_secrets(HfUndoSecrets *secrets)
{
    gint64 oldest = g_get_monotonic_time() - (gint64)HF_LIMIT_UNDO_KEEP_S * G_USEC_PER_SEC;
    Secret *head;
    while ((head = g_queue_peek_head(secrets->queue)) &&
           (head->kept_us < oldest || secrets->bytes > HF_LIMIT_UNDO_KEEP_BYTES ||
            g_queue_get_length(secrets->queue) > HF_LIMIT_UNDO_KEEP)) {
        secrets->bytes -= head->bytes;
        secret_free(g_queue_pop_head(secrets->queue));
    }
}

void hf_undo_secrets_take_from(HfUndoSecrets *secrets, const char *step_id, json_t *undo)
{
    const HfTool *tool = hf_registry_find(hf_json_string(undo, "tool", ""));
    json_t *params = json_object_get(undo, "params");
    g_autoptr(json_t) taken = json_object();
    gsize bytes = 0;
    for (const HfParam *param = tool ? tool->params : NULL; param && param->name; param++) {
        json_t *value = param->secret ? json_object_get(params, param->name) : NULL;
        if (!value)
            continue;
        bytes += json_is_string(value) ? json_string_length(value)
                                       : json_dumpb(value, NULL, 0, JSON_COMPACT | JSON_ENCODE_ANY);
        json_object_set(taken, param->name, value);
        json_object_del(params, param->name);
    }
    if (json_object_size(taken) == 0)
        return;
    json_object_set_new(undo, "kept_apart", json_true());
    Secret *secret = g_new(Secret, 1);
    *secret = (Secret){g_strdup(step_id), json_incref(taken), bytes, g_get_monotonic_time()};
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&secrets->lock);
    g_queue_push_tail(secrets->queue, secret);
    secrets->bytes += bytes;
    drop_surplus_secrets(secrets);
}

gboolean hf_undo_secrets_put_back(HfUndoSecrets *secrets, const char *step_id, json_t *undo,
                                  GError **error)
{
    if (!hf_json_bool(undo, "kept_apart", FALSE))
        return TRUE;
    gboolean found = FALSE;
    g_mutex_lock(&secrets->lock);
    drop_surplus_secrets(secrets);
    for (GList *each = secrets->queue->head; each && !found; each = each->next) {
        const Secret *secret = each->data;
        found = g_str_equal(secret->step_id, step_id);
        if (found)
            json_object_update(json_object_get(undo, "params"), secret->params);
    }
    g_mutex_unlock(&secrets->lock);
    return found ||
           hf_fail(error, HF_ERROR_PRECONDITION_FAILED,
                   "the content from before %s is no longer kept, so it cannot be undone", step_id);
}

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

const char *hf_ledger_caller_name(const char *name)
{
    return name ? name : "unknown";
}

json_t *hf_ledger_describe(HfStore *store, const HfLedgerFilter *filter, GError **error)
{
    g_autoptr(GPtrArray) entries = hf_ledger_rows_list(store, filter, error);
    if (!entries)
        return NULL;
    json_t *list = json_array();
    for (guint i = 0; i < entries->len; i++)
        json_array_append_new(list, describe_ledger_entry(entries->pdata[i]));
    return json_pack("{s:o}", "changes", list);
}
