/* SPDX-License-Identifier: Apache-2.0 */
/* The desk judges the path that a call names; only here is it known where that leads. The rules are
 * the shipped ones: what the owner allows for a path holds for that path, not for what a link makes
 * of it. */
#include "hand/files/secret-files.h"

#include <string.h>

#include "shared/base/error.h"
#include "shared/rules/rules.h"
#include "shared/text/secret-patterns.h"
#include "shared/text/text.h"

static gpointer load_shipped_rules(gpointer unused)
{
    return hf_rules_new(NULL, NULL);
}

static const HfRules *get_shipped_rules(void)
{
    static GOnce once = G_ONCE_INIT;
    return g_once(&once, load_shipped_rules, NULL);
}

static HfRisk assess_secret_path(const char *path, gboolean writes)
{
    g_auto(HfRiskAssessment) assessment = {0};
    hf_rules_assess_path(get_shipped_rules(), path, writes, &assessment);
    return assessment.block ? HF_RISK_COUNT : assessment.risk;
}

gboolean hf_secret_file_is(const char *path)
{
    return assess_secret_path(path, FALSE) >= HF_RISK_HIGH;
}

gboolean hf_secret_file_check(const char *asked, const char *real, gboolean writes, GError **error)
{
    if (strcmp(asked, real) == 0 ||
        assess_secret_path(real, writes) <= assess_secret_path(asked, writes))
        return TRUE;
    g_autofree char *shown = hf_text_shorten(asked, 300), *place = hf_text_shorten(real, 300);
    hf_fail(error, HF_ERROR_FORBIDDEN, "'%s' leads to '%s', for which the rules are stricter",
            shown, place);
    hf_error_suggest(error, "use the second path, so that the rules can judge it");
    return FALSE;
}

/* The value of a line begins after the first '=' or ':' and spaces. NULL: it has none. */
static const char *find_value(const char *line, const char *end)
{
    const char *at = line + strspn(line, " \t");
    if (*at == '#' || *at == ';')
        return NULL;
    while (at < end && *at != '=' && *at != ':')
        at++;
    if (at == end)
        return NULL;
    at++;
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    return at < end && *at != '\r' ? at : NULL;
}

static char *without_values(const char *text)
{
    GString *clean = g_string_new(NULL);
    for (const char *line = text; *line;) {
        const char *feed = strchr(line, '\n');
        const char *end = feed ? feed : line + strlen(line);
        const char *value = find_value(line, end);
        g_string_append_len(clean, line, (value ? value : end) - line);
        if (value)
            g_string_append(clean, HF_REDACTED);
        if (feed)
            g_string_append_c(clean, '\n');
        line = feed ? feed + 1 : end;
    }
    return g_string_free(clean, FALSE);
}

char *hf_secret_file_redact(const char *path, const char *text, gboolean *ret_redacted)
{
    g_autofree char *forms = hf_secret_patterns_redact_tokens(text);
    g_autofree char *bare = hf_secret_file_is(path) ? without_values(forms) : NULL;
    char *clean = bare ? hf_secret_patterns_redact(bare) : g_steal_pointer(&forms);
    if (ret_redacted)
        *ret_redacted = strcmp(clean, text) != 0;
    return clean;
}
