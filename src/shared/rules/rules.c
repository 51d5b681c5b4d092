/* SPDX-License-Identifier: Apache-2.0 */
/* Judges a call: every rule that matches raises the risk, and none lowers it. */
#include "shared/rules/rules.h"

#include <string.h>

#include "shared/base/data.h"
#include "shared/base/error.h"
#include "shared/rules/rule-load.h"
#include "shared/text/host-pattern.h"
#include "shared/text/key-names.h"
#include "shared/text/text.h"

/* How much of the matching text is repeated. */
#define WHAT_BYTES 120

struct HfRules {
    gatomicrefcount refs;
    GPtrArray *all; /* HfRule */
};

HfRules *hf_rules_new(const json_t *owners, GError **error)
{
    g_autoptr(HfRules) rules = g_new0(HfRules, 1);
    g_atomic_ref_count_init(&rules->refs);
    rules->all = g_ptr_array_new_with_free_func((GDestroyNotify)hf_rule_free);
    g_autoptr(json_t) shipped = json_loads(hf_data_find("rules.json"), 0, NULL);
    if (!shipped) {
        hf_fail(error, HF_ERROR_INTERNAL, "the built-in rules are not valid JSON");
        return NULL;
    }
    if (!hf_rules_add_from_json(rules->all, shipped, FALSE, error) ||
        (owners && !hf_rules_add_from_json(rules->all, owners, TRUE, error)))
        return NULL;
    return g_steal_pointer(&rules);
}

char *hf_rules_dup_path(void)
{
    return g_build_filename(g_get_user_config_dir(), "handfast", "rules.json", NULL);
}

/* NULL with an error; an empty object when there is no file. */
static json_t *read_rules_file(const char *path, GError **error)
{
    g_autofree char *text = NULL;
    g_autoptr(GError) unread = NULL;
    gsize length;
    if (!g_file_get_contents(path, &text, &length, &unread)) {
        if (g_error_matches(unread, G_FILE_ERROR, G_FILE_ERROR_NOENT))
            return json_pack("{s:i, s:[]}", "version", 1, "rules");
        hf_fail(error, HF_ERROR_STORAGE_FAILED, "cannot read '%s': %s", path, unread->message);
        return NULL;
    }
    json_error_t where;
    json_t *json = json_loadb(text, length, JSON_REJECT_DUPLICATES, &where);
    if (!json)
        hf_fail(error, HF_ERROR_INVALID_PARAMS, "%s:%d:%d: %s", path, where.line, where.column,
                where.text);
    return json;
}

HfRules *hf_rules_load(const char *path, const json_t *more, GError **error)
{
    g_autoptr(json_t) json = read_rules_file(path, error);
    if (!json)
        return NULL;
    if (more)
        json_array_extend(json_object_get(json, "rules"), (json_t *)more);
    HfRules *rules = hf_rules_new(json, error);
    if (!rules)
        g_prefix_error(error, "%s: ", path);
    return rules;
}

HfRules *hf_rules_ref(HfRules *rules)
{
    g_atomic_ref_count_inc(&rules->refs);
    return rules;
}

void hf_rules_unref(HfRules *rules)
{
    if (!rules || !g_atomic_ref_count_dec(&rules->refs))
        return;
    g_ptr_array_unref(rules->all);
    g_free(rules);
}

json_t *hf_rules_describe(const HfRules *rules)
{
    json_t *list = json_array();
    for (guint i = 0; i < rules->all->len; i++) {
        const HfRule *rule = rules->all->pdata[i];
        json_array_append_new(list,
                              json_pack("{s:s, s:s, s:s, s:b, s:b, s:b, s:b, s:s, s:s}", "id",
                                        rule->id, "looks_at", hf_looks_at_name(rule->looks_at),
                                        "risk", rule->block ? "block" : hf_risk_name(rule->risk),
                                        "ask_always", rule->ask_always, "overridable",
                                        rule->overridable, "owner", rule->owners, "off", rule->off,
                                        "message", rule->message, "message_zh", rule->message_zh));
    }
    return list;
}

void hf_risk_assessment_clear(HfRiskAssessment *assessment)
{
    json_decref(assessment->rules);
}

static json_t *find_matched_rule(const HfRiskAssessment *assessment, const char *id)
{
    size_t index;
    json_t *entry;
    json_array_foreach (assessment->rules, index, entry)
        if (strcmp(hf_json_string(entry, "id", ""), id) == 0)
            return entry;
    return NULL;
}

/* Adds a matching rule; each is named once, with the first thing that matched. */
static void add_matched_rule(HfRiskAssessment *assessment, const HfRule *rule, gboolean maybe,
                             const char *what)
{
    HfRisk risk = maybe ? MIN(rule->risk, HF_RISK_HIGH) : rule->risk;
    gboolean block = rule->block && !maybe;
    assessment->risk = MAX(assessment->risk, risk);
    assessment->ask_always |= rule->ask_always;
    if (block && !assessment->block) {
        assessment->block = rule->id;
        assessment->message = rule->message;
        assessment->app = rule->looks_at == HF_LOOKS_AT_APP;
    }
    if (!assessment->rules)
        assessment->rules = json_array();
    json_t *known = find_matched_rule(assessment, rule->id);
    const char *name = block ? "block" : hf_risk_name(risk);
    if (known && risk > HF_RISK_HIGH)
        json_object_set_new(known, "risk", json_string(name));
    if (known)
        return;
    g_autofree char *valid = g_utf8_make_valid(what, -1);
    g_autofree char *shown = hf_text_shorten(valid, WHAT_BYTES);
    json_t *entry =
        json_pack("{s:s, s:s, s:s, s:s, s:o}", "id", rule->id, "message", rule->message,
                  "message_zh", rule->message_zh, "risk", name, "what", hf_json_text(shown));
    if (rule->ask_always)
        json_object_set_new(entry, "ask_always", json_true());
    json_array_append_new(assessment->rules, entry);
}

/* Commands that change the files in their arguments. */
static gboolean writes_files(const HfScriptCommand *command)
{
    static const char *const names[] = {"tee",   "cp",    "mv",     "rm",    "dd",       "install",
                                        "ln",    "chmod", "chown",  "touch", "truncate", "shred",
                                        "rsync", "scp",   "unlink", "tar",   "vi",       "vim",
                                        "nano",  "sed",   NULL};
    return g_strv_contains(names, command->name);
}

static void assess_paths_and_urls(const HfRules *rules, const HfScriptCommand *command,
                                  HfRiskAssessment *assessment)
{
    gboolean writes = writes_files(command);
    for (guint i = 1; i < command->words->len; i++) {
        const char *text = ((const HfScriptWord *)command->words->pdata[i])->text;
        hf_rules_assess_path(rules, text, writes, assessment);
        if (strstr(text, "://"))
            hf_rules_assess_url(rules, strstr(text, "://") - MIN(8, strstr(text, "://") - text),
                                assessment);
    }
    for (guint i = 0; i < command->redirects->len; i++) {
        const HfScriptRedirect *redirect = command->redirects->pdata[i];
        hf_rules_assess_path(rules, redirect->target.text, redirect->writes, assessment);
    }
}

static void assess_command_rules(const HfRules *rules, const HfScript *script,
                                 const HfScriptCommand *command, HfRiskAssessment *assessment)
{
    g_autofree char *what = hf_script_command_describe(command, WHAT_BYTES);
    for (guint i = 0; i < rules->all->len; i++) {
        const HfRule *rule = rules->all->pdata[i];
        gboolean maybe;
        if (rule->looks_at == HF_LOOKS_AT_COMMAND && !rule->off &&
            hf_rule_matches_command(rule, script, command, &maybe))
            add_matched_rule(assessment, rule, maybe, what);
    }
    assess_paths_and_urls(rules, command, assessment);
}

void hf_rules_assess_script(const HfRules *rules, const HfScript *script,
                            HfRiskAssessment *assessment)
{
    for (guint i = 0; i < rules->all->len; i++) {
        const HfRule *rule = rules->all->pdata[i];
        if (rule->looks_at == HF_LOOKS_AT_COMMAND && !rule->off &&
            (rule->script_facts & script->facts))
            add_matched_rule(assessment, rule, FALSE, "");
    }
    for (guint i = 0; i < script->commands->len; i++)
        assess_command_rules(rules, script, script->commands->pdata[i], assessment);
}

void hf_rules_assess_command(const HfRules *rules, const char *text, HfRiskAssessment *assessment)
{
    g_autoptr(HfScript) script = hf_script_read(text);
    hf_rules_assess_script(rules, script, assessment);
}

void hf_rules_assess_arguments(const HfRules *rules, const char *const *arguments,
                               HfRiskAssessment *assessment)
{
    g_autoptr(HfScript) script = hf_script_read_arguments(arguments);
    hf_rules_assess_script(rules, script, assessment);
}

void hf_rules_assess_file(const HfRules *rules, const char *const *arguments, const char *path,
                          const char *content, HfRiskAssessment *assessment)
{
    g_autoptr(HfScript) script = hf_script_read_file(arguments, path, content);
    hf_rules_assess_script(rules, script, assessment);
}

void hf_rules_assess_keys(const HfRules *rules, const char *const *names,
                          HfRiskAssessment *assessment)
{
    g_autoptr(GArray) chord = hf_keys_parse_any(names, NULL);
    if (!chord)
        return; /* no tool accepts it either */
    g_autofree char *what = g_strjoinv("+", (char **)names);
    for (guint i = 0; i < rules->all->len; i++) {
        const HfRule *rule = rules->all->pdata[i];
        if (rule->looks_at != HF_LOOKS_AT_KEYS || rule->off)
            continue;
        for (guint j = 0; j < rule->chords->len; j++)
            if (hf_keys_include(chord, rule->chords->pdata[j]))
                add_matched_rule(assessment, rule, FALSE, what);
    }
}

static void assess_pattern_rules(const HfRules *rules, HfLooksAt looks_at, const char *text,
                                 gboolean writes, HfRiskAssessment *assessment)
{
    for (guint i = 0; i < rules->all->len; i++) {
        const HfRule *rule = rules->all->pdata[i];
        if (rule->looks_at == looks_at && !rule->off && rule->pattern &&
            (writes || !rule->writes) && hf_rule_regex_matches(rule->pattern, text))
            add_matched_rule(assessment, rule, FALSE, looks_at == HF_LOOKS_AT_TEXT ? "" : text);
    }
}

void hf_rules_assess_text(const HfRules *rules, const char *text, HfRiskAssessment *assessment)
{
    assess_pattern_rules(rules, HF_LOOKS_AT_TEXT, text, FALSE, assessment);
}

void hf_rules_assess_path(const HfRules *rules, const char *path, gboolean writes,
                          HfRiskAssessment *assessment)
{
    assess_pattern_rules(rules, HF_LOOKS_AT_PATH, path, writes, assessment);
}

/* The host of scheme://user@host:port/path, in lower case and without a last dot. */
static char *dup_host(const char *url)
{
    const char *start = strstr(url, "://");
    start = start ? start + 3 : url;
    gsize length = strcspn(start, "/?#\\");
    g_autofree char *authority = g_strndup(start, length);
    const char *at = strrchr(authority, '@');
    g_autofree char *host = g_ascii_strdown(at ? at + 1 : authority, -1);
    if (host[0] != '[')
        host[strcspn(host, ":")] = '\0';
    gsize end = strlen(host);
    if (end > 0 && host[end - 1] == '.')
        host[end - 1] = '\0';
    g_autofree char *ascii = g_hostname_to_ascii(host);
    return ascii ? g_steal_pointer(&ascii) : g_steal_pointer(&host);
}

static gboolean fits_domain(char *const *patterns, const char *host)
{
    for (; *patterns; patterns++)
        if (hf_host_pattern_fits(*patterns, host))
            return TRUE;
    return FALSE;
}

void hf_rules_assess_url(const HfRules *rules, const char *url, HfRiskAssessment *assessment)
{
    g_autofree char *host = dup_host(url);
    for (guint i = 0; i < rules->all->len; i++) {
        const HfRule *rule = rules->all->pdata[i];
        if (rule->looks_at != HF_LOOKS_AT_URL || rule->off)
            continue;
        if ((rule->domains && fits_domain(rule->domains, host)) ||
            (rule->pattern && hf_rule_regex_matches(rule->pattern, url)))
            add_matched_rule(assessment, rule, FALSE, url);
    }
}

void hf_rules_assess_app(const HfRules *rules, const char *name, HfRiskAssessment *assessment)
{
    g_autofree char *base = g_path_get_basename(name);
    for (guint i = 0; i < rules->all->len; i++) {
        const HfRule *rule = rules->all->pdata[i];
        if (rule->looks_at == HF_LOOKS_AT_APP && !rule->off && rule->apps &&
            (hf_rule_globs_match(rule->apps, name) || hf_rule_globs_match(rule->apps, base)))
            add_matched_rule(assessment, rule, FALSE, name);
    }
}

static json_t *rule_strings_to_json(char *const *strings)
{
    json_t *list = json_array();
    for (; strings && *strings; strings++)
        json_array_append_new(list, json_string(*strings));
    return list;
}

json_t *hf_rules_fence(const HfRules *rules)
{
    json_t *list = json_array();
    for (guint i = 0; i < rules->all->len; i++) {
        const HfRule *rule = rules->all->pdata[i];
        if (rule->looks_at == HF_LOOKS_AT_APP && !rule->off && rule->block)
            json_array_append_new(list,
                                  json_pack("{s:s, s:s, s:o, s:o}", "id", rule->id, "message",
                                            rule->message, "apps", rule_strings_to_json(rule->apps),
                                            "titles", rule_strings_to_json(rule->titles)));
    }
    return list;
}
