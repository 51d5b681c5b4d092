/* SPDX-License-Identifier: Apache-2.0 */
/* Judges a call: every rule that matches raises the risk, and none lowers it. */
#include "shared/rules/rules.h"

#include <string.h>

#include "shared/base/data.h"
#include "shared/base/error.h"
#include "shared/base/limits.h"
#include "shared/rules/command-paths.h"
#include "shared/rules/protected-path.h"
#include "shared/rules/rule-load.h"
#include "shared/text/host-pattern.h"
#include "shared/text/key-names.h"
#include "shared/text/secret-patterns.h"
#include "shared/text/text.h"

/* How much of the matching text is repeated. */
#define WHAT_BYTES 120
/* How much of it is searched for secrets before that. */
#define LOOK_BYTES  4096
#define WHOLE_BYTES ((gsize)64 * 1024)

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
    hf_json_each (entry, assessment->rules)
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
    g_autofree char *shown = g_utf8_make_valid(what, -1); /* redact_matched makes it short */
    json_t *entry =
        json_pack("{s:s, s:s, s:s, s:s, s:o}", "id", rule->id, "message", rule->message,
                  "message_zh", rule->message_zh, "risk", name, "what", hf_json_text(shown));
    if (rule->ask_always)
        json_object_set_new(entry, "ask_always", json_true());
    json_array_append_new(assessment->rules, entry);
}

/* Every rule quotes what it matched. Secrets in there are recognised by the whole text: `echo X` is
 * a password only because of the sudo after it. */
static void redact_matched(HfRiskAssessment *assessment, size_t first, const char *whole)
{
    if (first >= json_array_size(assessment->rules))
        return;
    g_autofree char *text = hf_text_shorten(whole, WHOLE_BYTES);
    g_autoptr(GPtrArray) secrets = hf_secret_patterns_find(text);
    for (size_t i = first; i < json_array_size(assessment->rules); i++) {
        json_t *entry = json_array_get(assessment->rules, i);
        const char *what = hf_json_string(entry, "what", "");
        g_autofree char *clean = hf_secret_patterns_redact_part(what, secrets);
        g_autofree char *shown = hf_text_shorten(clean, WHAT_BYTES);
        json_object_set_new(entry, "what", hf_json_text(shown));
    }
}

/* Valid UTF-8 with accents in one form, so that a path has one spelling. */
static char *dup_normal_path(const char *path)
{
    if (g_str_is_ascii(path))
        return g_strdup(path);
    g_autofree char *valid = g_utf8_make_valid(path, -1);
    return g_utf8_normalize(valid, -1, G_NORMALIZE_NFC);
}

static gboolean is_path_protected(const HfRule *rule, const HfPathNames *names, HfPathUse use)
{
    if (!rule->writes && !rule->unless_read)
        use = MIN(use, HF_PATH_WRITTEN); /* about what it holds, not about what gets there */
    for (guint i = 0; i < rule->paths->len; i++)
        if (hf_protected_path_matches(rule->paths->pdata[i], names, use))
            return TRUE;
    return FALSE;
}

static void assess_path_use(const HfRules *rules, const char *path, HfPathUse use,
                            HfRiskAssessment *assessment)
{
    if (!*path || strlen(path) > HF_LIMIT_PATH_BYTES)
        return;
    g_autofree char *normal = dup_normal_path(path);
    g_autoptr(HfPathNames) names = hf_path_names_new(normal);
    for (guint i = 0; i < rules->all->len; i++) {
        const HfRule *rule = rules->all->pdata[i];
        if (rule->looks_at != HF_LOOKS_AT_PATH || rule->off ||
            (rule->writes && use < HF_PATH_WRITTEN) || (rule->unless_read && use < HF_PATH_UNSURE))
            continue;
        if ((rule->pattern && hf_rule_regex_matches(rule->pattern, normal)) ||
            is_path_protected(rule, names, use))
            add_matched_rule(assessment, rule, FALSE, path);
    }
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

static void assess_url(const HfRules *rules, const char *url, HfRiskAssessment *assessment)
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

typedef struct PathAssessment {
    const HfRules *rules;
    HfRiskAssessment *assessment;
} PathAssessment;

static void assess_command_path(const char *path, HfPathUse use, gpointer data)
{
    PathAssessment *walk = data;
    if (use == HF_PATH_UNSURE && walk->assessment->certain_only)
        use = HF_PATH_READ;
    assess_path_use(walk->rules, path, use, walk->assessment);
}

static void assess_paths_and_urls(const HfRules *rules, const HfScriptCommand *command,
                                  HfRiskAssessment *assessment)
{
    PathAssessment walk = {rules, assessment};
    hf_command_paths_each(command, assess_command_path, &walk);
    for (guint i = 1; i < command->words->len; i++) {
        const char *text = ((const HfScriptWord *)command->words->pdata[i])->text;
        if (strstr(text, "://"))
            assess_url(rules, strstr(text, "://") - MIN(8, strstr(text, "://") - text), assessment);
    }
}

static void assess_command_rules(const HfRules *rules, const HfScript *script,
                                 const HfScriptCommand *command, HfRiskAssessment *assessment)
{
    g_autofree char *what = hf_script_command_describe(command, LOOK_BYTES);
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
    for (guint i = 0; i < script->commands->len; i++) {
        const HfScriptCommand *command = script->commands->pdata[i];
        if (!assessment->certain_only || !(command->facts & HF_COMMAND_GUESSED))
            assess_command_rules(rules, script, command, assessment);
    }
}

void hf_rules_assess_command(const HfRules *rules, const char *text, HfRiskAssessment *assessment)
{
    size_t first = json_array_size(assessment->rules);
    g_autoptr(HfScript) script = hf_script_read(text);
    hf_rules_assess_script(rules, script, assessment);
    redact_matched(assessment, first, text);
}

static char *join_quoted(const char *const *arguments)
{
    GString *all = g_string_new(NULL);
    for (; *arguments; arguments++) {
        g_autofree char *quoted = g_shell_quote(*arguments);
        gboolean plain = !strpbrk(*arguments, " \t\n'\"\\$`;&|<>()*?") && **arguments;
        g_string_append_printf(all, "%s%s", all->len ? " " : "", plain ? *arguments : quoted);
    }
    return g_string_free(all, FALSE);
}

void hf_rules_assess_arguments(const HfRules *rules, const char *const *arguments,
                               HfRiskAssessment *assessment)
{
    size_t first = json_array_size(assessment->rules);
    g_autofree char *whole = join_quoted(arguments);
    g_autoptr(HfScript) script = hf_script_read_arguments(arguments);
    hf_rules_assess_script(rules, script, assessment);
    redact_matched(assessment, first, whole);
}

void hf_rules_assess_file(const HfRules *rules, const char *const *arguments, const char *path,
                          const char *content, HfRiskAssessment *assessment)
{
    size_t first = json_array_size(assessment->rules);
    g_autofree char *command = join_quoted(arguments);
    g_autofree char *whole = g_strconcat(command, "\n", content, NULL);
    g_autoptr(HfScript) script = hf_script_read_file(arguments, path, content);
    hf_rules_assess_script(rules, script, assessment);
    redact_matched(assessment, first, whole);
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

void hf_rules_assess_text(const HfRules *rules, const char *text, HfRiskAssessment *assessment)
{
    for (guint i = 0; i < rules->all->len; i++) {
        const HfRule *rule = rules->all->pdata[i];
        if (rule->looks_at == HF_LOOKS_AT_TEXT && !rule->off && rule->pattern &&
            hf_rule_regex_matches(rule->pattern, text))
            add_matched_rule(assessment, rule, FALSE, "");
    }
}

void hf_rules_assess_path(const HfRules *rules, const char *path, gboolean writes,
                          HfRiskAssessment *assessment)
{
    size_t first = json_array_size(assessment->rules);
    assess_path_use(rules, path, writes ? HF_PATH_WRITTEN : HF_PATH_READ, assessment);
    redact_matched(assessment, first, path);
}

void hf_rules_assess_url(const HfRules *rules, const char *url, HfRiskAssessment *assessment)
{
    size_t first = json_array_size(assessment->rules);
    assess_url(rules, url, assessment);
    redact_matched(assessment, first, url);
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
