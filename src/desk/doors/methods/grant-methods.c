/* SPDX-License-Identifier: Apache-2.0 */
/* Methods about grants. The owner creates and revokes them; a caller with a grant may pass on a
 * smaller one. A caller sees its own grant and those made from it, the owner all. */
#include "desk/doors/methods/methods.h"
#include "desk/guard/policy/caller-rights.h"
#include "shared/base/error.h"
#include "shared/base/id.h"
#include "shared/base/limits.h"
#include "shared/base/paths.h"
#include "shared/tool/param-check.h"

#define PARAM_ID(REQUIRED)                                                                         \
    HF_STRING("id", "Its id", .required = REQUIRED, .min = 1, .max = HF_LIMIT_NAME_BYTES)

const HfParam hf_method_grant_params[] = {PARAM_ID(TRUE), {0}};
const HfParam hf_method_grant_new_params[] = {
    PARAM_ID(FALSE),
    HF_STRING("from", "The grant to pass on a part of", .min = 1, .max = HF_LIMIT_NAME_BYTES),
    HF_OBJECT("grant", "What it allows", .required = TRUE),
    {0},
};

/* The effective grant: all that was requested, or its intersection with the parent grant. */
static HfGrant *shape_grant(HfStore *store, const char *own, const char *from, const json_t *wanted,
                            GError **error)
{
    if (!own && !from)
        return hf_grant_new(wanted, error);
    g_autoptr(GPtrArray) chain = hf_caller_rights_chain(store, own, from, error);
    return chain ? hf_grant_shrink(((HfGrantEntry *)chain->pdata[0])->grant, wanted, error) : NULL;
}

json_t *hf_method_grant_new(HfDesk *desk, const HfCaller *caller, json_t *params,
                            GCancellable *cancellable, GError **error)
{
    HfGuard *guard = hf_desk_get_guard(desk);
    HfStore *store = hf_guard_get_store(guard);
    g_autoptr(HfConfig) config = hf_live_config_get(hf_guard_get_live_config(guard));
    g_autoptr(json_t) checked = hf_check_params(hf_method_grant_new_params, params, error);
    const char *own = hf_caller_rights_grant(config, caller);
    if (!checked || (!own && !hf_caller_check_owner_in_person(caller, error)))
        return NULL;
    const char *from = hf_json_string(checked, "from", NULL);
    g_autofree char *made = hf_id_new("g");
    const char *id = hf_json_string(checked, "id", made);
    if (!hf_desktop_name_check(id, error))
        return NULL;
    g_autoptr(HfGrant) grant =
        shape_grant(store, own, from, json_object_get(checked, "grant"), error);
    HfGrantOrigin origin = {from ? from : own, caller->name ? caller->name : "?",
                            own ? hf_caller_rights_level(config, caller) : HF_LEVEL_NONE};
    if (!grant || !hf_grant_rows_add(store, id, grant, &origin, error))
        return NULL;
    return json_pack("{s:s, s:O}", "id", id, "grant", hf_grant_document(grant));
}

static const json_t *find_grant_entry(const json_t *list, const char *id)
{
    hf_json_each (entry, list)
        if (g_strcmp0(hf_json_string(entry, "id", ""), id) == 0)
            return entry;
    return NULL;
}

/* Whether a grant is `own`, or was made from it. */
static gboolean is_grant_below(const json_t *list, const json_t *entry, const char *own)
{
    for (size_t i = 0; entry && i <= json_array_size(list); i++) {
        if (g_strcmp0(hf_json_string(entry, "id", ""), own) == 0)
            return TRUE;
        entry = find_grant_entry(list, hf_json_string(entry, "parent", NULL));
    }
    return FALSE;
}

/* All grants that the caller may see. */
static json_t *list_visible_grants(HfGuard *guard, const HfCaller *caller, GError **error)
{
    g_autoptr(json_t) list = hf_grant_rows_list(hf_guard_get_store(guard), error);
    if (!list || hf_caller_sees_all(caller))
        return g_steal_pointer(&list);
    g_autoptr(HfConfig) config = hf_live_config_get(hf_guard_get_live_config(guard));
    const char *own = hf_caller_rights_grant(config, caller);
    json_t *visible = json_array();
    hf_json_each (entry, list)
        if (own && is_grant_below(list, entry, own))
            json_array_append(visible, entry);
    return visible;
}

json_t *hf_method_grant_list(HfDesk *desk, const HfCaller *caller, json_t *params,
                             GCancellable *cancellable, GError **error)
{
    json_t *list = list_visible_grants(hf_desk_get_guard(desk), caller, error);
    return list ? json_pack("{s:o}", "grants", list) : NULL;
}

json_t *hf_method_grant_show(HfDesk *desk, const HfCaller *caller, json_t *params,
                             GCancellable *cancellable, GError **error)
{
    g_autoptr(json_t) checked = hf_check_params(hf_method_grant_params, params, error);
    const char *id = hf_json_string(checked, "id", "");
    g_autoptr(json_t) list =
        checked ? list_visible_grants(hf_desk_get_guard(desk), caller, error) : NULL;
    const json_t *entry = find_grant_entry(list, id);
    if (list && !entry)
        hf_fail(error, HF_ERROR_INVALID_PARAMS, "there is no grant '%s' that you may see", id);
    return entry ? json_incref((json_t *)entry) : NULL;
}

json_t *hf_method_grant_revoke(HfDesk *desk, const HfCaller *caller, json_t *params,
                               GCancellable *cancellable, GError **error)
{
    g_autoptr(json_t) checked = hf_check_params(hf_method_grant_params, params, error);
    gboolean done = checked && hf_caller_check_owner_in_person(caller, error) &&
                    hf_grant_rows_revoke(hf_guard_get_store(hf_desk_get_guard(desk)),
                                         hf_json_string(checked, "id", ""), error);
    return done ? json_object() : NULL;
}
