/* SPDX-License-Identifier: Apache-2.0 */
/* Is the call within the bounds of its grant? This comes after the risk step, because a grant
 * bounds the risk too. The hand checks the front window itself: it gets the grant's applications
 * with the call. */

#include "desk/guard/policy/launch-bounds.h"
#include "desk/guard/steps/steps.h"
#include "shared/base/paths.h"
#include "shared/text/host-pattern.h"
#include "shared/text/text.h"

static gboolean directory_fits(const json_t *entry, const char *path)
{
    return hf_path_within(json_string_value(entry), path);
}

static gboolean domain_fits(const json_t *entry, const char *url)
{
    g_autoptr(GUri) uri = g_uri_parse(url, G_URI_FLAGS_NONE, NULL);
    const char *host = uri ? g_uri_get_host(uri) : NULL;
    return host && hf_host_pattern_fits(json_string_value(entry), host);
}

static gboolean app_fits(const json_t *entry, const char *app)
{
    const char *allowed =
        json_is_string(entry) ? json_string_value(entry) : hf_json_string(entry, "app", "");
    g_autofree char *pattern = hf_text_fold(allowed);
    g_autofree char *name = hf_text_fold(app);
    g_autofree char *base = g_path_get_basename(name);
    return g_pattern_match_simple(pattern, name) || g_pattern_match_simple(pattern, base);
}

static const struct {
    HfMeans means;
    const char *list;
    HfErrorCode code;
    gboolean (*fits)(const json_t *entry, const char *value);
} bounds[] = {
    {HF_MEANS_PATH, "allowed_directories", HF_ERROR_FORBIDDEN, directory_fits},
    {HF_MEANS_URL, "allowed_domains", HF_ERROR_FORBIDDEN, domain_fits},
    {HF_MEANS_APP, "allowed_apps", HF_ERROR_APP_NOT_ALLOWED, app_fits},
    {HF_MEANS_PROGRAM, "allowed_apps", HF_ERROR_APP_NOT_ALLOWED, app_fits},
};

static gboolean check_bounded_text(const HfGrantEntry *grant, gsize bound, const char *name,
                                   const char *value, GError **error)
{
    const json_t *list = hf_grant_find_list(grant->grant, bounds[bound].list);
    if (!list)
        return TRUE;
    hf_json_each (entry, list)
        if (bounds[bound].fits(entry, value))
            return TRUE;
    g_autofree char *shown = hf_text_shorten(value, 200);
    hf_fail(error, bounds[bound].code, "%s: '%s' is outside %s of the grant '%s'", name, shown,
            bounds[bound].list, grant->id);
    hf_error_suggest(error, "see what it allows: handfast grant show %s", grant->id);
    hf_error_take_details(
        error, json_pack("{s:s, s:s, s:O}", "grant", grant->id, "path", name, "expected", list));
    return FALSE;
}

static gboolean check_bounded_param(const HfGrantEntry *grant, const HfParam *param,
                                    const json_t *value, GError **error)
{
    for (gsize i = 0; i < G_N_ELEMENTS(bounds); i++) {
        if (bounds[i].means != param->means)
            continue;
        if (json_is_string(value) &&
            !check_bounded_text(grant, i, param->name, json_string_value(value), error))
            return FALSE;
        hf_json_each (member, value)
            if (json_is_string(member) &&
                !check_bounded_text(grant, i, param->name, json_string_value(member), error))
                return FALSE;
    }
    return TRUE;
}

/* Lists of objects too: each object has its own parameters. */
static gboolean check_bounded_params(const HfGrantEntry *grant, const HfParam *table,
                                     const json_t *params, GError **error)
{
    for (const HfParam *param = table; param->name; param++) {
        const json_t *value = json_object_get(params, param->name);
        if (!check_bounded_param(grant, param, value, error))
            return FALSE;
        if (!param->items || !param->items->fields)
            continue;
        hf_json_each (member, value)
            if (!check_bounded_params(grant, param->items->fields, member, error))
                return FALSE;
    }
    return TRUE;
}

static gboolean check_grant_risk(const HfPassage *passage, const HfGrantEntry *grant,
                                 GError **error)
{
    HfRisk most = hf_grant_max_risk(grant->grant);
    if (passage->judgement.risk <= most)
        return TRUE;
    hf_fail(error, HF_ERROR_FORBIDDEN,
            "the risk of this call is %s, and the grant '%s' allows at most %s",
            hf_risk_name(passage->judgement.risk), grant->id, hf_risk_name(most));
    hf_error_suggest(error, "see what it allows: handfast grant show %s", grant->id);
    hf_error_take_details(error, json_pack("{s:s, s:s, s:s, s:O}", "grant", grant->id, "risk",
                                           hf_risk_name(passage->judgement.risk), "max_risk_level",
                                           hf_risk_name(most), "rules", passage->judgement.rules));
    return FALSE;
}

/* Of a program that is to be started, the resolved executable counts instead of its name. */
gboolean hf_step_grant_bounds(HfPassage *passage, GError **error)
{
    const json_t *program = json_object_get(passage->inspected, "program");
    for (guint i = 0; passage->grant.chain && i < passage->grant.chain->len; i++) {
        const HfGrantEntry *grant = passage->grant.chain->pdata[i];
        if (!check_grant_risk(passage, grant, error) ||
            !(program ? hf_launch_check_bounds(grant, program, error)
                      : check_bounded_params(grant, passage->tool->params, passage->params, error)))
            return FALSE;
    }
    return TRUE;
}
