/* SPDX-License-Identifier: Apache-2.0 */
/* Who is held back because of text of others, and the owner's way to end that. */
#include "desk/doors/methods/methods.h"
#include "desk/guard/guard.h"
#include "desk/guard/passage.h"
#include "shared/base/error.h"
#include "shared/base/limits.h"
#include "shared/tool/param-check.h"

const HfParam hf_method_taint_clear_params[] = {
    HF_STRING("caller", "Name or key of the caller (default: everybody)", .min = 1,
              .max = HF_LIMIT_TITLE_BYTES),
    {0},
};

json_t *hf_method_taint_list(HfDesk *desk, const HfCaller *caller, json_t *params,
                             GCancellable *cancellable, GError **error)
{
    HfGuard *guard = hf_desk_get_guard(desk);
    g_autoptr(HfConfig) config = hf_live_config_get(guard->live_config);
    g_autoptr(json_t) checked = hf_check_params(hf_method_no_params, params, error);
    if (!checked)
        return NULL;
    if (!hf_caller_sees_all(caller)) {
        hf_fail(error, HF_ERROR_FORBIDDEN, "only the owner may see what all callers have read");
        hf_error_suggest(error, "a dry_run of your own call says whether you are held back");
        return NULL;
    }
    gint64 keep_ms = hf_taint_keep_ms(config);
    json_t *callers = hf_taint_list(guard->taint, keep_ms, error);
    return callers ? json_pack("{s:o, s:o}", "callers", callers, "files",
                               hf_tainted_files_list(guard->tainted_files, keep_ms))
                   : NULL;
}

/* Somebody who is known only by a file counts too. */
static gboolean collect_taint_keys(HfGuard *guard, const char *who, GHashTable *keys,
                                   GError **error)
{
    g_auto(GStrv) readers = hf_taint_dup_keys(guard->taint, who, error);
    g_autoptr(json_t) files = hf_tainted_files_list(guard->tainted_files, G_MAXINT32);
    for (char **key = readers; key && *key; key++)
        g_hash_table_add(keys, g_strdup(*key));
    hf_json_each (file, files) {
        const char *key = hf_json_string(file, "key", "");
        if (g_str_equal(key, who) || g_str_equal(hf_json_string(file, "name", ""), who))
            g_hash_table_add(keys, g_strdup(key));
    }
    if (!readers || g_hash_table_size(keys) > 0)
        return readers != NULL;
    hf_fail(error, HF_ERROR_INVALID_PARAMS, "caller: '%s' is not held back", who);
    hf_error_suggest(error, "see who is: handfast taint list");
    return FALSE;
}

static gboolean clear_taint_key(HfGuard *guard, const char *key, GError **error)
{
    return hf_taint_clear(guard->taint, key, error) &&
           hf_tainted_files_clear(guard->tainted_files, key, error);
}

json_t *hf_method_taint_clear(HfDesk *desk, const HfCaller *caller, json_t *params,
                              GCancellable *cancellable, GError **error)
{
    HfGuard *guard = hf_desk_get_guard(desk);
    g_autoptr(json_t) checked = hf_check_params(hf_method_taint_clear_params, params, error);
    const char *who = hf_json_string(checked, "caller", NULL);
    if (!checked || !hf_caller_check_owner_in_person(caller, error))
        return NULL;
    if (!who)
        return clear_taint_key(guard, NULL, error) ? json_object() : NULL;
    g_autoptr(GHashTable) keys = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    if (!collect_taint_keys(guard, who, keys, error))
        return NULL;
    GHashTableIter iter;
    gpointer key;
    g_hash_table_iter_init(&iter, keys);
    while (g_hash_table_iter_next(&iter, &key, NULL))
        if (!clear_taint_key(guard, key, error))
            return NULL;
    return json_object();
}
