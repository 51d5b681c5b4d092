/* SPDX-License-Identifier: Apache-2.0 */
/* Checks a grant's document and answers questions about it. */
#include "desk/policy/config/grant.h"

#include <string.h>

#include "desk/policy/config/config-fields.h"
#include "desk/policy/config/config-limits.h"
#include "desk/policy/config/tool-profiles.h"
#include "shared/base/error.h"
#include "shared/base/json.h"
#include "shared/base/limits.h"
#include "shared/base/paths.h"
#include "shared/text/host-pattern.h"
#include "shared/text/text.h"
#include "shared/tool/param-check.h"
#include "shared/tool/registry.h"

struct HfGrant {
    gatomicrefcount references;
    json_t *document;
    HfRisk max_risk;
    gint64 expires_us, max_calls;
};

static const char *const risks[] = {"low", "medium", "high", "critical", NULL};

static const HfParam text_item = {.type = HF_TYPE_STRING, .min = 1, .max = HF_LIMIT_TITLE_BYTES};
static const HfParam bound_app_fields[] = {
    HF_STRING("app", "Process name, path of the executable, window class or title, with * and ?",
              .required = TRUE, .min = 1, .max = HF_LIMIT_TITLE_BYTES),
    HF_STRING("workspace",
              "Only windows that belong to this directory, by title or working directory",
              .required = TRUE, .min = 1, .max = HF_LIMIT_TITLE_BYTES),
    {0},
};
static const HfParam bound_app = {.type = HF_TYPE_OBJECT, .fields = bound_app_fields};
static const HfParam app_item = {
    .type = HF_TYPE_STRING, .min = 1, .max = HF_LIMIT_TITLE_BYTES, .also = &bound_app};
static const HfParam action_item = {.type = HF_TYPE_STRING, .choices = hf_approval_actions};

static const HfParam restriction_fields[] = {
    HF_ARRAY("allowed_directories", "Only files in these directories", .items = &text_item,
             .max = HF_LIMIT_CONFIG_LIST),
    HF_ARRAY("allowed_domains", "Only these domains: example.com, *.example.com",
             .items = &text_item, .max = HF_LIMIT_CONFIG_LIST),
    HF_ARRAY("allowed_apps", "Only these applications", .items = &app_item,
             .max = HF_LIMIT_CONFIG_LIST),
    HF_STRING("max_risk_level", "Nothing of a higher risk than this", .choices = risks),
    HF_STRING("expires_at", "Until when, ISO 8601: 2026-12-31T18:00:00Z", .min = 1,
              .max = HF_LIMIT_NAME_BYTES),
    HF_INTEGER("max_calls", "How many calls in all", .min = 1, .max = 1e12),
    {0},
};

const HfParam hf_grant_fields[] = {
    HF_ARRAY("tools", "Names of tools, categories, toolset:NAME, or *", .items = &text_item,
             .required = TRUE, .min = 1, .max = HF_LIMIT_CONFIG_LIST),
    HF_OBJECT("restrictions", "Bounds within which the tools may be used",
              .fields = restriction_fields),
    HF_OBJECT("approval_overrides", "Stricter actions by tool, in addition to those of the project",
              .items = &action_item, .max = HF_LIMIT_CONFIG_LIST),
    {0},
};

/* The approval policy knows exact tool names, categories and *, but no toolsets. */
static gboolean is_policy_word(const char *word)
{
    if (hf_registry_find(word))
        return hf_registry_has_name(word);
    return hf_toolset_is_known(word) && !g_str_has_prefix(word, "toolset:");
}

static gboolean unknown_word(const char *path, const char *word, const char *expected,
                             GError **error)
{
    hf_fail(error, HF_ERROR_INVALID_PARAMS, "%s: expected %s, not '%s'", path, expected, word);
    hf_error_suggest(error, "see the tools and categories: handfast tools");
    hf_error_take_details(error, json_pack("{s:s, s:s}", "path", path, "expected", expected));
    return FALSE;
}

static gboolean check_words(const json_t *document, GError **error)
{
    const char *word;
    json_t *entry;
    hf_json_each (tool, json_object_get(document, "tools"))
        if (!hf_toolset_is_known(json_string_value(tool)))
            return unknown_word("tools", json_string_value(tool),
                                "a tool, a category, toolset:NAME or *", error);
    json_object_foreach (json_object_get(document, "approval_overrides"), word, entry)
        if (!is_policy_word(word))
            return unknown_word("approval_overrides", word, "a tool, a category or *", error);
    return TRUE;
}

static gboolean read_grant_expiry(const json_t *restrictions, gint64 *ret_us, GError **error)
{
    const char *text = hf_json_string(restrictions, "expires_at", NULL);
    g_autoptr(GTimeZone) utc = g_time_zone_new_utc();
    g_autoptr(GDateTime) time = text ? g_date_time_new_from_iso8601(text, utc) : NULL;
    if (text && !time) {
        hf_fail(error, HF_ERROR_INVALID_PARAMS,
                "restrictions.expires_at: expected a time like 2026-12-31T18:00:00Z, not '%s'",
                text);
        hf_error_take_details(error, json_pack("{s:s, s:s}", "path", "restrictions.expires_at",
                                               "expected", "a time like 2026-12-31T18:00:00Z"));
        return FALSE;
    }
    *ret_us = time ? g_date_time_to_unix(time) * G_USEC_PER_SEC : 0;
    return TRUE;
}

static HfRisk parse_max_risk(const char *name)
{
    for (int risk = 1; risk < HF_RISK_COUNT; risk++)
        if (g_str_equal(hf_risk_name((HfRisk)risk), name))
            return (HfRisk)risk;
    return HF_RISK_CRITICAL;
}

HfGrant *hf_grant_new(const json_t *document, GError **error)
{
    gint64 expires_us;
    const json_t *restrictions = json_object_get(document, "restrictions");
    if (!json_is_object(document)) {
        hf_fail(error, HF_ERROR_INVALID_PARAMS,
                "expected a grant as an object: {\"tools\": [...]}");
        return NULL;
    }
    if (!hf_check_result(hf_grant_fields, document, error) || !check_words(document, error) ||
        !read_grant_expiry(restrictions, &expires_us, error))
        return NULL;
    HfGrant *grant = g_new0(HfGrant, 1);
    g_atomic_ref_count_init(&grant->references);
    grant->document = json_deep_copy(document);
    grant->max_risk = parse_max_risk(hf_json_string(restrictions, "max_risk_level", "critical"));
    grant->expires_us = expires_us;
    grant->max_calls = hf_json_int(restrictions, "max_calls", 0);
    return grant;
}

void hf_grant_unref(HfGrant *grant)
{
    if (!grant || !g_atomic_ref_count_dec(&grant->references))
        return;
    json_decref(grant->document);
    g_free(grant);
}

const json_t *hf_grant_document(const HfGrant *grant)
{
    return grant->document;
}

gboolean hf_grant_has_tool(const HfGrant *grant, const HfTool *tool)
{
    hf_json_each (word, json_object_get(grant->document, "tools"))
        if (hf_toolset_has(json_string_value(word), tool))
            return TRUE;
    return FALSE;
}

const json_t *hf_grant_find_list(const HfGrant *grant, const char *name)
{
    return json_object_get(json_object_get(grant->document, "restrictions"), name);
}

HfRisk hf_grant_max_risk(const HfGrant *grant)
{
    return grant->max_risk;
}

gint64 hf_grant_get_expiry_us(const HfGrant *grant)
{
    return grant->expires_us;
}

gint64 hf_grant_get_max_calls(const HfGrant *grant)
{
    return grant->max_calls;
}

const json_t *hf_grant_find_overrides(const HfGrant *grant)
{
    return json_object_get(grant->document, "approval_overrides");
}

/* ---- comparing two grants ---- When in doubt, the inner one is not contained. */

static gboolean fail_beyond_grant(GError **error, const char *path, const char *what)
{
    hf_fail(error, HF_ERROR_FORBIDDEN, "%s: %s exceeds the grant that this one is derived from",
            path, what);
    hf_error_suggest(error, "request less, or ask the owner for a separate grant");
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

/* 0 means no limit. */
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

/* Adds the members that only the outer object has. */
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
