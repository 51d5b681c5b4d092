/* SPDX-License-Identifier: Apache-2.0 */
/* Whether one grant lies within another, field by field. What cannot be told is no. */
#include <string.h>

#include "desk/policy/config/config-fields.h"
#include "desk/policy/config/grant.h"
#include "desk/policy/config/toolsets.h"
#include "shared/base/error.h"
#include "shared/base/json.h"
#include "shared/base/paths.h"
#include "shared/text/host-pattern.h"
#include "shared/text/text.h"
#include "shared/tool/registry.h"

static gboolean fail_beyond_grant(GError **error, const char *path, const char *what)
{
    hf_fail(error, HF_ERROR_FORBIDDEN, "%s: %s goes beyond the grant that this one comes from",
            path, what);
    hf_error_suggest(error, "ask for less, or ask the owner for a grant of its own");
    hf_error_take_details(error,
                          json_pack("{s:s, s:o}", "path", path, "beyond", hf_json_text(what)));
    return FALSE;
}

static gboolean contains_tools(const HfGrant *outer, const HfGrant *inner, GError **error)
{
    for (const HfTool *const *tool = hf_registry(); *tool; tool++)
        if (hf_grant_has_tool(inner, *tool) && !hf_grant_has_tool(outer, *tool))
            return fail_beyond_grant(error, "tools", (*tool)->name);
    return TRUE;
}

static gboolean directory_within(const json_t *outer, const json_t *inner)
{
    return hf_path_within(json_string_value(outer), json_string_value(inner));
}

static gboolean domain_within(const json_t *outer, const json_t *inner)
{
    return hf_host_pattern_within(json_string_value(outer), json_string_value(inner));
}

static const char *app_of(const json_t *entry)
{
    return json_is_string(entry) ? json_string_value(entry) : hf_json_string(entry, "app", "");
}

static gboolean app_within(const json_t *outer, const json_t *inner)
{
    g_autofree char *wide = hf_text_fold(app_of(outer));
    g_autofree char *narrow = hf_text_fold(app_of(inner));
    gboolean plain = strpbrk(narrow, "*?") == NULL;
    if (strcmp(wide, narrow) != 0 && strcmp(wide, "*") != 0 &&
        !(plain && g_pattern_match_simple(wide, narrow)))
        return FALSE;
    const char *bound = hf_json_string(outer, "workspace", NULL);
    const char *own = hf_json_string(inner, "workspace", NULL);
    return !bound || (own && hf_path_within(bound, own));
}

static const struct {
    const char *name;
    gboolean (*within)(const json_t *outer, const json_t *inner);
} lists[] = {
    {"allowed_directories", directory_within},
    {"allowed_domains", domain_within},
    {"allowed_apps", app_within},
};

static gboolean list_contains(gsize which, const json_t *outer, const json_t *inner, GError **error)
{
    size_t i, j;
    json_t *wide, *narrow;
    g_autofree char *path = g_strdup_printf("restrictions.%s", lists[which].name);
    if (!outer)
        return TRUE;
    if (!inner)
        return fail_beyond_grant(error, path, "no restriction");
    json_array_foreach (inner, i, narrow) {
        gboolean found = FALSE;
        json_array_foreach (outer, j, wide)
            found = found || lists[which].within(wide, narrow);
        if (found)
            continue;
        g_autofree char *text = hf_json_dump(narrow);
        return fail_beyond_grant(error, path, text);
    }
    return TRUE;
}

static gboolean contains_lists(const HfGrant *outer, const HfGrant *inner, GError **error)
{
    for (gsize i = 0; i < G_N_ELEMENTS(lists); i++)
        if (!list_contains(i, hf_grant_find_list(outer, lists[i].name),
                           hf_grant_find_list(inner, lists[i].name), error))
            return FALSE;
    return TRUE;
}

/* 0 is "no limit": more than any. */
static gboolean is_more(gint64 inner, gint64 outer)
{
    return outer != 0 && (inner == 0 || inner > outer);
}

static gboolean contains_numbers(const HfGrant *outer, const HfGrant *inner, GError **error)
{
    if (hf_grant_max_risk(inner) > hf_grant_max_risk(outer))
        return fail_beyond_grant(error, "restrictions.max_risk_level",
                                 hf_risk_name(hf_grant_max_risk(inner)));
    if (is_more(hf_grant_get_expiry_us(inner), hf_grant_get_expiry_us(outer)))
        return fail_beyond_grant(error, "restrictions.expires_at", "that time");
    if (is_more(hf_grant_get_max_calls(inner), hf_grant_get_max_calls(outer)))
        return fail_beyond_grant(error, "restrictions.max_calls", "that number");
    return TRUE;
}

static int action_strictness(const json_t *action)
{
    int index = 0;
    while (action && hf_approval_actions[index] &&
           strcmp(hf_approval_actions[index], json_string_value(action)) != 0)
        index++;
    return index;
}

/* The strictest action that a grant asks for a tool; 0 when it asks nothing. */
static int action_strictness_for(const HfGrant *grant, const HfTool *tool)
{
    const char *word;
    json_t *action;
    int most = 0;
    json_object_foreach ((json_t *)hf_grant_find_overrides(grant), word, action)
        if (hf_toolset_has(word, tool))
            most = MAX(most, action_strictness(action));
    return most;
}

static gboolean contains_overrides(const HfGrant *outer, const HfGrant *inner, GError **error)
{
    for (const HfTool *const *tool = hf_registry(); *tool; tool++)
        if (hf_grant_has_tool(inner, *tool) &&
            action_strictness_for(inner, *tool) < action_strictness_for(outer, *tool))
            return fail_beyond_grant(error, "approval_overrides", (*tool)->name);
    return TRUE;
}

gboolean hf_grant_contains(const HfGrant *outer, const HfGrant *inner, GError **error)
{
    return contains_tools(outer, inner, error) && contains_lists(outer, inner, error) &&
           contains_numbers(outer, inner, error) && contains_overrides(outer, inner, error);
}

/* Adds what the outer object says and the inner one does not. */
static void inherit_grant_members(json_t *inner, const json_t *outer)
{
    const char *key;
    json_t *value;
    json_object_foreach ((json_t *)outer, key, value) {
        json_t *own = json_object_get(inner, key);
        if (!own)
            json_object_set_new(inner, key, json_deep_copy(value));
        else if (json_is_object(own) && json_is_object(value))
            inherit_grant_members(own, value);
    }
}

HfGrant *hf_grant_shrink(const HfGrant *outer, const json_t *wanted, GError **error)
{
    g_autoptr(json_t) document = json_is_object(wanted) ? json_deep_copy(wanted) : json_object();
    inherit_grant_members(document, hf_grant_document(outer));
    g_autoptr(HfGrant) inner = hf_grant_new(document, error);
    if (!inner || !hf_grant_contains(outer, inner, error))
        return NULL;
    return g_steal_pointer(&inner);
}
