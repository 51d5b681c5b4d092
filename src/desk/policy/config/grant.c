/* SPDX-License-Identifier: Apache-2.0 */
/* Checks a grant's document and answers questions about it. */
#include "desk/policy/config/grant.h"

#include "desk/policy/config/config-fields.h"
#include "desk/policy/config/config-limits.h"
#include "desk/policy/config/toolsets.h"
#include "shared/base/error.h"
#include "shared/base/json.h"
#include "shared/base/limits.h"
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
    {.name = "app",
     .type = HF_TYPE_STRING,
     .required = TRUE,
     .min = 1,
     .max = HF_LIMIT_TITLE_BYTES,
     .about = "Process name, path of the executable, window class or title, with * and ?"},
    {.name = "workspace",
     .type = HF_TYPE_STRING,
     .required = TRUE,
     .min = 1,
     .max = HF_LIMIT_TITLE_BYTES,
     .about = "Only windows that belong to this directory, by title or working directory"},
    {0},
};
static const HfParam bound_app = {.type = HF_TYPE_OBJECT, .fields = bound_app_fields};
static const HfParam app_item = {
    .type = HF_TYPE_STRING, .min = 1, .max = HF_LIMIT_TITLE_BYTES, .also = &bound_app};
static const HfParam action_item = {.type = HF_TYPE_STRING, .choices = hf_approval_actions};

static const HfParam restriction_fields[] = {
    {.name = "allowed_directories",
     .type = HF_TYPE_ARRAY,
     .items = &text_item,
     .max = HF_LIMIT_CONFIG_LIST,
     .about = "Only files in these directories"},
    {.name = "allowed_domains",
     .type = HF_TYPE_ARRAY,
     .items = &text_item,
     .max = HF_LIMIT_CONFIG_LIST,
     .about = "Only these domains: example.com, *.example.com"},
    {.name = "allowed_apps",
     .type = HF_TYPE_ARRAY,
     .items = &app_item,
     .max = HF_LIMIT_CONFIG_LIST,
     .about = "Only these applications"},
    {.name = "max_risk_level",
     .type = HF_TYPE_STRING,
     .choices = risks,
     .about = "Nothing of a higher risk than this"},
    {.name = "expires_at",
     .type = HF_TYPE_STRING,
     .min = 1,
     .max = HF_LIMIT_NAME_BYTES,
     .about = "Until when, ISO 8601: 2026-12-31T18:00:00Z"},
    {.name = "max_calls",
     .type = HF_TYPE_INTEGER,
     .min = 1,
     .max = 1e12,
     .about = "How many calls in all"},
    {0},
};

const HfParam hf_grant_fields[] = {
    {.name = "tools",
     .type = HF_TYPE_ARRAY,
     .items = &text_item,
     .required = TRUE,
     .min = 1,
     .max = HF_LIMIT_CONFIG_LIST,
     .about = "Names of tools, categories, toolset:NAME, or *"},
    {.name = "restrictions",
     .type = HF_TYPE_OBJECT,
     .fields = restriction_fields,
     .about = "Bounds within which the tools may be used"},
    {.name = "approval_overrides",
     .type = HF_TYPE_OBJECT,
     .items = &action_item,
     .max = HF_LIMIT_CONFIG_LIST,
     .about = "What to ask besides what the project asks, by tool; this can only tighten"},
    {0},
};

/* The words that the approval policy reads: never a toolset, and names as they are written. */
static gboolean is_policy_word(const char *word)
{
    const HfTool *tool = hf_registry_find(word);
    if (tool)
        return g_str_equal(tool->name, word) ||
               (tool->aliases && g_strv_contains(tool->aliases, word));
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
    size_t index;
    json_t *entry;
    const char *word;
    json_array_foreach (json_object_get(document, "tools"), index, entry)
        if (!hf_toolset_is_known(json_string_value(entry)))
            return unknown_word("tools", json_string_value(entry),
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
        hf_fail(error, HF_ERROR_INVALID_PARAMS, "a grant is an object: {\"tools\": [...]}");
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

HfGrant *hf_grant_ref(HfGrant *grant)
{
    g_atomic_ref_count_inc(&grant->references);
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
    size_t index;
    json_t *word;
    json_array_foreach (json_object_get(grant->document, "tools"), index, word)
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
