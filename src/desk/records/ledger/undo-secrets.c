/* SPDX-License-Identifier: Apache-2.0 */
/* A queue, the oldest first; entries that are too old, too many or too large are dropped from its
 * head. */
#include "desk/records/ledger/undo-secrets.h"

#include <string.h>

#include "desk/records/records-limits.h"
#include "shared/base/error.h"
#include "shared/base/json.h"
#include "shared/base/limits.h"
#include "shared/tool/registry.h"

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
    g_mutex_lock(&secrets->lock);
    g_queue_push_tail(secrets->queue, secret);
    secrets->bytes += bytes;
    drop_surplus_secrets(secrets);
    g_mutex_unlock(&secrets->lock);
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
