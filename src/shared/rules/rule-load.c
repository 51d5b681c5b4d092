/* SPDX-License-Identifier: Apache-2.0 */
/* Loads rules from JSON. A description checks the file first, so that every mistake names its
 * field. Regular expressions and key names are compiled here, never during a call. */
#include "shared/rules/rule-load.h"

#include <string.h>

#include "shared/base/error.h"
#include "shared/base/limits.h"
#include "shared/rules/protected-path.h"
#include "shared/rules/rules-limits.h"
#include "shared/text/key-names.h"
#include "shared/tool/param-check.h"

static const char *const looks_names[] = {
    [HF_LOOKS_NOWHERE] = "",     [HF_LOOKS_AT_COMMAND] = "command",
    [HF_LOOKS_AT_KEYS] = "keys", [HF_LOOKS_AT_TEXT] = "text",
    [HF_LOOKS_AT_PATH] = "path", [HF_LOOKS_AT_URL] = "url",
    [HF_LOOKS_AT_APP] = "app",   NULL,
};
static const char *const risk_choices[] = {"low", "medium", "high", "critical", "block", NULL};
static const char *const fact_choices[] = {"undecided", "more",      "unread",    "written",
                                           "as-root",   "fetched",   "privilege", "unreadable",
                                           "too-much",  "fork-bomb", NULL};

#define STRING(name_, about_) HF_STRING(name_, about_, .min = 1, .max = HF_LIMIT_RULE_BYTES)
#define STRINGS(name_, about_)                                                                     \
    HF_ARRAY(name_, about_, .min = 1, .max = HF_LIMIT_RULE_ITEMS, .items = &text_item)

static const HfParam text_item = {
    .type = HF_TYPE_STRING, .min = 1, .max = HF_LIMIT_RULE_BYTES, .about = "Text"};
static const HfParam group_item = {
    .type = HF_TYPE_ARRAY, .min = 1, .max = HF_LIMIT_RULE_ITEMS, .items = &text_item};
static const HfParam fact_item = {.type = HF_TYPE_STRING, .choices = fact_choices};

static const HfParam when_fields[] = {
    STRINGS("name", "Globs for the command's name"),
    HF_ARRAY("flags", "Groups of options: at least one of each group is given, in any spelling",
             .min = 1, .max = HF_LIMIT_RULE_ITEMS, .items = &group_item),
    STRINGS("lacks_flags", "Options that are not given"),
    STRINGS("words", "Globs for its first arguments that are not options"),
    STRINGS("arguments", "Regular expressions: each matches an argument"),
    STRING("lacks_argument", "A regular expression that matches no argument"),
    STRING("text", "A regular expression found in its arguments or its input"),
    STRING("lacks_text", "A regular expression not found there"),
    STRING("code", "A regular expression found in a program of another language"),
    STRING("redirect", "A regular expression for what it writes to"),
    STRING("reads", "A regular expression for what it reads from"),
    STRINGS("from", "Globs for commands whose output it gets"),
    STRINGS("with", "Globs for other commands in the same text"),
    STRINGS("sets", "Variables that are set for it"),
    STRING("lacks_value", "A regular expression that the variable's value does not match"),
    HF_ARRAY("facts", "What the shell parser could not decide, or has seen", .min = 1,
             .items = &fact_item, .max = 8),
    STRINGS("keys", "Key combinations: \"alt+f4\""),
    STRING("pattern", "A regular expression for text or a path"),
    STRINGS("paths", "Paths: in any home directory (~/x), at the root (/x) or anywhere (x/y)"),
    HF_BOOLEAN("writes", "Only paths that are written to"),
    HF_BOOLEAN("unless_read", "Only paths that may be written to"),
    STRINGS("domains", "Globs for the host of a URL"),
    STRINGS("apps", "Globs for process, executable, window class or title"),
    STRINGS("titles", "Globs for a window's title"),
    {0},
};

static const HfParam message_fields[] = {
    STRING("en", "English"),
    STRING("zh", "Chinese"),
    {0},
};

static const HfParam rule_fields[] = {
    HF_STRING("id", "Its name in answers and in the audit", .required = TRUE, .min = 1,
              .max = HF_LIMIT_NAME_BYTES),
    HF_STRING("looks_at", "What it checks", .choices = looks_names),
    HF_OBJECT("when", "What has to match", .fields = when_fields),
    HF_STRING("risk", "At least this risk; block: refused", .choices = risk_choices),
    HF_BOOLEAN("ask_always", "The owner is asked each time"),
    HF_BOOLEAN("overridable", "The owner may make it less strict"),
    HF_BOOLEAN("off", "Turns an overridable rule off"),
    HF_OBJECT("message", "Why", .fields = message_fields),
    {0},
};
static const HfParam rule_item = {.type = HF_TYPE_OBJECT, .fields = rule_fields};
static const HfParam file_fields[] = {
    HF_INTEGER("version", "1", .required = TRUE, .min = 1, .max = 1),
    HF_ARRAY("rules", "The rules", .required = TRUE, .items = &rule_item, .max = HF_LIMIT_RULES),
    {0},
};

const char *hf_looks_at_name(HfLooksAt looks_at)
{
    return looks_names[looks_at];
}

void hf_rule_free(HfRule *rule)
{
    GRegex *regexes[] = {rule->lacks_argument, rule->text,  rule->lacks_text, rule->code,
                         rule->redirect,       rule->reads, rule->pattern,    rule->lacks_value};
    char **lists[] = {rule->names, rule->lacks_flags, rule->words, rule->from,  rule->sets,
                      rule->with,  rule->domains,     rule->apps,  rule->titles};
    for (gsize i = 0; i < G_N_ELEMENTS(regexes); i++)
        g_clear_pointer(&regexes[i], g_regex_unref);
    for (gsize i = 0; i < G_N_ELEMENTS(lists); i++)
        g_strfreev(lists[i]);
    g_clear_pointer(&rule->flags, g_ptr_array_unref);
    g_clear_pointer(&rule->arguments, g_ptr_array_unref);
    g_clear_pointer(&rule->chords, g_ptr_array_unref);
    g_clear_pointer(&rule->paths, g_ptr_array_unref);
    g_free(rule->id);
    g_free(rule->message);
    g_free(rule->message_zh);
    g_free(rule);
}

static gboolean fail_rule(GError **error, const char *id, const char *field, const char *problem)
{
    hf_fail(error, HF_ERROR_INVALID_PARAMS, "rule '%s': %s: %s", id, field, problem);
    hf_error_take_details(error, json_pack("{s:o, s:s}", "rule", hf_json_text(id), "path", field));
    return FALSE;
}

static char **dup_rule_strings(const json_t *array)
{
    if (!array)
        return NULL;
    g_autoptr(GStrvBuilder) builder = g_strv_builder_new();
    hf_json_each (value, array)
        g_strv_builder_add(builder, json_string_value(value));
    return g_strv_builder_end(builder);
}

/* Without JIT: for so many expressions its code takes half a megabyte, and a command is checked in
 * microseconds without it. */
static gboolean compile_rule_regex(const HfRule *rule, const char *field, const char *text,
                                   GRegex **ret_regex, GError **error)
{
    g_autoptr(GError) problem = NULL;
    /* Rules for paths ignore case, as security.denied_patterns does. */
    gboolean path = rule->looks_at == HF_LOOKS_AT_PATH;
    g_autofree char *normal = path && text ? g_utf8_normalize(text, -1, G_NORMALIZE_NFC) : NULL;
    *ret_regex = text ? g_regex_new(normal ? normal : text, normal ? G_REGEX_CASELESS : G_REGEX_RAW,
                                    0, &problem)
                      : NULL;
    return !problem || fail_rule(error, rule->id, field, problem->message);
}

static gboolean compile_rule_regexes(HfRule *rule, const json_t *when, GError **error)
{
    const struct {
        const char *field;
        GRegex **regex;
    } table[] = {{"lacks_argument", &rule->lacks_argument},
                 {"text", &rule->text},
                 {"lacks_text", &rule->lacks_text},
                 {"code", &rule->code},
                 {"redirect", &rule->redirect},
                 {"reads", &rule->reads},
                 {"lacks_value", &rule->lacks_value},
                 {"pattern", &rule->pattern}};
    for (gsize i = 0; i < G_N_ELEMENTS(table); i++)
        if (!compile_rule_regex(rule, table[i].field, hf_json_string(when, table[i].field, NULL),
                                table[i].regex, error))
            return FALSE;
    const json_t *arguments = json_object_get(when, "arguments");
    rule->arguments = g_ptr_array_new_with_free_func((GDestroyNotify)g_regex_unref);
    for (size_t i = 0; i < json_array_size(arguments); i++) {
        GRegex *regex = NULL;
        if (!compile_rule_regex(rule, "arguments", json_string_value(json_array_get(arguments, i)),
                                &regex, error))
            return FALSE;
        g_ptr_array_add(rule->arguments, regex);
    }
    return TRUE;
}

static void read_lists(HfRule *rule, const json_t *when)
{
    rule->names = dup_rule_strings(json_object_get(when, "name"));
    rule->lacks_flags = dup_rule_strings(json_object_get(when, "lacks_flags"));
    rule->words = dup_rule_strings(json_object_get(when, "words"));
    rule->from = dup_rule_strings(json_object_get(when, "from"));
    rule->with = dup_rule_strings(json_object_get(when, "with"));
    rule->sets = dup_rule_strings(json_object_get(when, "sets"));
    rule->domains = dup_rule_strings(json_object_get(when, "domains"));
    rule->apps = dup_rule_strings(json_object_get(when, "apps"));
    rule->titles = dup_rule_strings(json_object_get(when, "titles"));
    rule->writes = hf_json_bool(when, "writes", FALSE);
    rule->unless_read = hf_json_bool(when, "unless_read", FALSE);
    rule->paths = g_ptr_array_new_with_free_func((GDestroyNotify)hf_protected_path_free);
    hf_json_each (path, json_object_get(when, "paths"))
        g_ptr_array_add(rule->paths, hf_protected_path_new(json_string_value(path)));
    rule->flags = g_ptr_array_new_with_free_func((GDestroyNotify)g_strfreev);
    hf_json_each (group, json_object_get(when, "flags"))
        g_ptr_array_add(rule->flags, dup_rule_strings(group));
}

static void read_rule_facts(HfRule *rule, const json_t *facts)
{
    static const HfCommandFacts of_command[] = {
        HF_COMMAND_UNDECIDED, HF_COMMAND_MORE,    HF_COMMAND_UNREAD_TEXT, HF_COMMAND_WRITTEN,
        HF_COMMAND_AS_ROOT,   HF_COMMAND_FETCHED, HF_COMMAND_PRIVILEGE};
    hf_json_each (fact, facts)
        for (gsize i = 0; fact_choices[i]; i++) {
            if (strcmp(fact_choices[i], json_string_value(fact)) != 0)
                continue;
            if (i < G_N_ELEMENTS(of_command))
                rule->facts |= of_command[i];
            else
                rule->script_facts |= 1u << (i - G_N_ELEMENTS(of_command));
        }
}

static gboolean read_chords(HfRule *rule, const json_t *keys, GError **error)
{
    rule->chords = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
    for (size_t i = 0; i < json_array_size(keys); i++) {
        const char *names[] = {json_string_value(json_array_get(keys, i)), NULL};
        g_autoptr(GError) problem = NULL;
        GArray *chord = hf_keys_parse_any(names, &problem);
        if (!chord)
            return fail_rule(error, rule->id, "when.keys", problem->message);
        g_ptr_array_add(rule->chords, chord);
    }
    return TRUE;
}

static void read_rule_risk(HfRule *rule, const json_t *json)
{
    const char *name = hf_json_string(json, "risk", NULL);
    for (int risk = HF_RISK_LOW; name && risk < HF_RISK_COUNT; risk++)
        if (strcmp(name, hf_risk_name((HfRisk)risk)) == 0)
            rule->risk = (HfRisk)risk;
    rule->block = g_strcmp0(name, "block") == 0;
    if (rule->block)
        rule->risk = HF_RISK_CRITICAL;
}

static HfRule *rule_new(const json_t *json, gboolean owners, GError **error)
{
    HfRule *rule = g_new0(HfRule, 1);
    const json_t *when = json_object_get(json, "when"), *message = json_object_get(json, "message");
    rule->id = g_strdup(hf_json_string(json, "id", ""));
    rule->owners = owners;
    rule->ask_always = hf_json_bool(json, "ask_always", FALSE);
    rule->overridable = hf_json_bool(json, "overridable", FALSE) || owners;
    rule->off = hf_json_bool(json, "off", FALSE);
    rule->message = g_strdup(hf_json_string(message, "en", rule->id));
    rule->message_zh = g_strdup(hf_json_string(message, "zh", rule->message));
    for (guint i = 1; i < HF_LOOKS_COUNT; i++)
        if (g_strcmp0(looks_names[i], hf_json_string(json, "looks_at", NULL)) == 0)
            rule->looks_at = (HfLooksAt)i;
    read_rule_risk(rule, json);
    read_lists(rule, when);
    read_rule_facts(rule, json_object_get(when, "facts"));
    if (compile_rule_regexes(rule, when, error) &&
        read_chords(rule, json_object_get(when, "keys"), error))
        return rule;
    hf_rule_free(rule);
    return NULL;
}

static gboolean check_complete(const HfRule *rule, const json_t *json, GError **error)
{
    if (!rule->looks_at)
        return fail_rule(error, rule->id, "looks_at",
                         "is missing: a new rule must say what it checks");
    if (!rule->risk)
        return fail_rule(error, rule->id, "risk", "is missing");
    if (json_object_size(json_object_get(json, "when")) == 0)
        return fail_rule(error, rule->id, "when",
                         "is missing or empty, so the rule would match everything");
    return TRUE;
}

/* An entry with the id of another rule and without `looks_at` changes that rule. */
static gboolean change_known_rule(HfRule *rule, const json_t *json, GError **error)
{
    HfRule wanted = {0};
    read_rule_risk(&wanted, json);
    gboolean off = hf_json_bool(json, "off", FALSE);
    gboolean looser =
        off || (wanted.risk && (wanted.risk < rule->risk || (rule->block && !wanted.block))) ||
        (rule->ask_always && !hf_json_bool(json, "ask_always", TRUE));
    if (looser && !rule->overridable)
        return fail_rule(error, rule->id, off ? "off" : "risk",
                         "this rule can be made stricter, but not less strict");
    if (wanted.risk) {
        rule->risk = wanted.risk;
        rule->block = wanted.block;
    }
    rule->ask_always = hf_json_bool(json, "ask_always", rule->ask_always);
    rule->off = off;
    rule->owners = TRUE;
    return TRUE;
}

static HfRule *find_rule_by_id(const GPtrArray *rules, const char *id)
{
    for (guint i = 0; i < rules->len; i++)
        if (strcmp(((HfRule *)rules->pdata[i])->id, id) == 0)
            return rules->pdata[i];
    return NULL;
}

static gboolean add_or_change_rule(GPtrArray *rules, const json_t *json, gboolean owners,
                                   GError **error)
{
    HfRule *known = find_rule_by_id(rules, hf_json_string(json, "id", ""));
    if (known && !owners)
        return fail_rule(error, known->id, "id", "is used twice");
    if (known && json_object_get(json, "looks_at"))
        return fail_rule(error, known->id, "id",
                         "is already used; to change that rule, leave out looks_at");
    if (known)
        return change_known_rule(known, json, error);
    HfRule *rule = rule_new(json, owners, error);
    if (!rule)
        return FALSE;
    g_ptr_array_add(rules, rule);
    return check_complete(rule, json, error);
}

gboolean hf_rules_add_from_json(GPtrArray *rules, const json_t *file, gboolean owners,
                                GError **error)
{
    if (!json_is_object(file))
        return hf_fail(error, HF_ERROR_INVALID_PARAMS, "rules: expected an object");
    if (!hf_check_result(file_fields, file, error))
        return FALSE;
    hf_json_each (json, json_object_get(file, "rules"))
        if (!add_or_change_rule(rules, json, owners, error))
            return FALSE;
    return TRUE;
}
