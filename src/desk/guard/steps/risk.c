/* SPDX-License-Identifier: Apache-2.0 */
/* How dangerous is the call? Its risk is the tool's own where it is done, raised by rules that
 * match its parameters; nothing lowers it. The same rules, the grants and privacy.blur also make
 * the fence of the call (windows that it must not touch or show) and its walls. The tool's table
 * declares which parameter is a command, a key or a path. The answer and the audit name every rule
 * that matched. */
#include <string.h>

#include "desk/guard/passage.h"
#include "desk/guard/policy/caller-rights.h"
#include "desk/guard/policy/live-rules.h"
#include "desk/guard/policy/typed-lines.h"
#include "desk/guard/steps/steps.h"
#include "desk/policy/config/config.h"
#include "shared/base/error.h"
#include "shared/base/paths.h"

/* Expands "~" only. Links are for the hand to resolve, when it opens something. */
static json_t *absolute_path_json(const char *path)
{
    g_autofree char *place = hf_path_dup_absolute(path);
    return json_string(place);
}

static json_t *absolute_all(const json_t *list)
{
    json_t *places = json_array();
    hf_json_each (entry, list)
        json_array_append_new(places, absolute_path_json(json_string_value(entry)));
    return places;
}

/* ---- walls ----
 * The configuration and every grant of the chain have lists, and a call must satisfy all of them.
 * They go to the hand side by side, which enforces them. */

/* The owner's list, followed by the lists of all grants. */
static json_t *lists_of(const HfPassage *passage, const char *name, json_t *take_owners)
{
    json_t *lists = json_array();
    gboolean paths = g_str_equal(name, "allowed_directories");
    if (json_array_size(take_owners) > 0 || paths)
        json_array_append(lists, take_owners);
    json_decref(take_owners);
    for (guint i = 0; passage->grant.chain && i < passage->grant.chain->len; i++) {
        const HfGrantEntry *entry = passage->grant.chain->pdata[i];
        const json_t *list = hf_grant_find_list(entry->grant, name);
        if (list)
            json_array_append_new(lists, paths ? absolute_all(list) : json_deep_copy(list));
    }
    return lists;
}

/* Those of the configuration and, on a private desktop, the one for exchange with its user. */
static json_t *list_owners_directories(const HfPassage *passage)
{
    json_t *list = absolute_all(hf_config_get(passage->config, "security.allowed_directories"));
    if (passage->contained) {
        g_autofree char *exchange = hf_path_dup_exchange(passage->desktop);
        json_array_append_new(list, absolute_path_json(exchange));
    }
    return list;
}

static gboolean is_caller_unwalled(const HfPassage *passage)
{
    if (hf_caller_rights_level(passage->config, passage->request->caller) < HF_LEVEL_FULL)
        return FALSE;
    for (guint i = 0; passage->grant.chain && i < passage->grant.chain->len; i++) {
        const HfGrantEntry *entry = passage->grant.chain->pdata[i];
        if (hf_grant_find_list(entry->grant, "allowed_directories") ||
            (entry->level != HF_LEVEL_NONE && entry->level < HF_LEVEL_FULL))
            return FALSE;
    }
    return TRUE;
}

/* The desk's own files by absolute path, because a hand may have another home. */
static json_t *list_own(void)
{
    g_autofree char *runtime = hf_path_dup_runtime(), *config = hf_path_dup_config();
    g_autofree char *settings = g_path_get_dirname(config);
    g_autofree char *data = g_build_filename(g_get_user_data_dir(), "handfast", NULL);
    return json_pack("[o, o, o]", hf_json_text(runtime), hf_json_text(settings),
                     hf_json_text(data));
}

static json_t *list_hidden(void)
{
    json_t *hidden = list_own();
    json_array_append_new(hidden, hf_json_text(g_get_user_runtime_dir()));
    return hidden;
}

/* The pattern with the links resolved in the part before the first wildcard; NULL if that changes
 * nothing. */
static char *dup_real_pattern(const char *pattern)
{
    gsize plain = strcspn(pattern, "*?[\\");
    while (plain > 0 && pattern[plain - 1] != '/')
        plain--;
    if (plain < 2)
        return NULL;
    g_autofree char *start = g_strndup(pattern, plain - 1);
    g_autofree char *real = hf_path_dup_real(start);
    return real && !g_str_equal(real, start) ? g_strconcat(real, pattern + plain - 1, NULL) : NULL;
}

/* A hand in a container cannot see where links outside lead. */
static json_t *list_denied_real(const json_t *denied)
{
    json_t *patterns = json_array();
    g_autoptr(json_t) own = list_own();
    hf_json_each (path, own) {
        g_autofree char *pattern = g_strconcat(json_string_value(path), "/**", NULL);
        g_autofree char *real = dup_real_pattern(pattern);
        json_array_append_new(patterns, hf_json_text(pattern));
        if (real)
            json_array_append_new(patterns, hf_json_text(real));
    }
    hf_json_each (pattern, denied) {
        g_autofree char *real = dup_real_pattern(json_string_value(pattern));
        if (real)
            json_array_append_new(patterns, hf_json_text(real));
    }
    return patterns;
}

static json_t *shell_settings(const HfConfig *config)
{
    json_t *settings = json_deep_copy(hf_config_get(config, "shell"));
    json_object_set_new(settings, "readable",
                        absolute_all(hf_config_get(config, "shell.readable")));
    json_object_set_new(settings, "hidden", list_hidden());
    return settings;
}

/* {"directories": [[path]], "writable": [path], "denied": [pattern], "denied_real": [pattern],
 * "max_file_size", "domains": {"allowed": [[glob]], "blocked": [glob]}, "open", "caller"}: a path
 * must lie in one directory of each list, and a host match one glob of each. `writable`: where
 * programs may write besides. `denied_real`: the denied patterns where links lead elsewhere, and
 * the desk's own files. For shells also "shell": their settings, with "hidden": the desk's own
 * files. Paths are absolute. `open`: the caller has full control and no grant restricts it, so its
 * shells need no walls; file tools have theirs all the same. `caller` owns what the call starts.
 * NULL for a tool without walls. */
static json_t *walls_for_call(const HfPassage *passage)
{
    if (!(passage->tool->flags & HF_TOOL_WALLED))
        return NULL;
    const HfConfig *config = passage->config;
    g_autofree char *caller = hf_caller_dup_key(passage->request->caller);
    json_t *denied = absolute_all(hf_config_get(config, "security.denied_patterns"));
    json_t *walls =
        json_pack("{s:o, s:o, s:o, s:o, s:I, s:{s:o, s:o}, s:b, s:s}", "directories",
                  lists_of(passage, "allowed_directories", list_owners_directories(passage)),
                  "writable", absolute_all(hf_config_get(config, "container.writable")), "denied",
                  denied, "denied_real", list_denied_real(denied), "max_file_size",
                  (json_int_t)hf_config_int(config, "security.max_file_size"), "domains", "allowed",
                  lists_of(passage, "allowed_domains",
                           json_deep_copy(hf_config_get(config, "security.allowed_domains"))),
                  "blocked", json_deep_copy(hf_config_get(config, "security.blocked_domains")),
                  "open", is_caller_unwalled(passage), "caller", caller);
    if (passage->tool->category == HF_CATEGORY_TERMINAL)
        json_object_set_new(walls, "shell", shell_settings(config));
    return walls;
}

static char **dup_text_list(const json_t *value)
{
    g_autoptr(GStrvBuilder) builder = g_strv_builder_new();
    if (json_is_string(value))
        g_strv_builder_add(builder, json_string_value(value));
    hf_json_each (member, value)
        if (json_is_string(member))
            g_strv_builder_add(builder, json_string_value(member));
    return g_strv_builder_end(builder);
}

/* A program with its arguments, which are in another parameter. */
static void assess_program(const HfPassage *passage, const HfRules *rules, const char *program,
                           HfRiskAssessment *assessment)
{
    g_autoptr(GPtrArray) words = g_ptr_array_new_with_free_func(g_free);
    g_ptr_array_add(words, g_strdup(program));
    for (const HfParam *param = passage->tool->params; param && param->name; param++) {
        const json_t *value = json_object_get(passage->params, param->name);
        if (param->means != HF_MEANS_ARGUMENTS || !value)
            continue;
        g_auto(GStrv) arguments = dup_text_list(value);
        for (char **argument = arguments; *argument; argument++)
            g_ptr_array_add(words, g_strdup(*argument));
    }
    g_ptr_array_add(words, NULL);
    hf_rules_assess_arguments(rules, (const char *const *)words->pdata, assessment);
    hf_rules_assess_app(rules, program, assessment);
}

static void assess_text(const HfPassage *passage, const HfRules *rules, HfMeans means,
                        const char *text, HfRiskAssessment *assessment)
{
    gboolean writes = !(passage->tool->flags & HF_TOOL_READ_ONLY);
    switch (means) {
    case HF_MEANS_COMMAND:
        hf_rules_assess_command(rules, text, assessment);
        return;
    case HF_MEANS_PROGRAM:
        assess_program(passage, rules, text, assessment);
        return;
    case HF_MEANS_TYPED:
    case HF_MEANS_COPIED:
    case HF_MEANS_TEXT:
        hf_rules_assess_text(rules, text, assessment);
        return;
    case HF_MEANS_PATH:
        hf_rules_assess_path(rules, text, writes, assessment);
        return;
    case HF_MEANS_URL:
        hf_rules_assess_url(rules, text, assessment);
        return;
    case HF_MEANS_APP:
        hf_rules_assess_app(rules, text, assessment);
        return;
    case HF_MEANS_NONE:
    case HF_MEANS_PLAIN:
    case HF_MEANS_ARGUMENTS:
    case HF_MEANS_KEYS:
    case HF_MEANS_TERMINAL: /* judged by line: typed-lines.c */
    case HF_MEANS_TERMINAL_KEYS:
    case HF_MEANS_WINDOW:
    case HF_MEANS_RECIPIENT:
    case HF_MEANS_CALLS:
        return;
    }
}

static void assess_params(const HfPassage *passage, const HfRules *rules, const HfParam *table,
                          const json_t *params, HfRiskAssessment *assessment)
{
    for (const HfParam *param = table; param && param->name; param++) {
        const json_t *value = json_object_get(params, param->name);
        if (param->items && param->items->fields) /* a list of objects */
            hf_json_each (member, value)
                assess_params(passage, rules, param->items->fields, member, assessment);
        if (!param->means || !value)
            continue;
        g_auto(GStrv) texts = dup_text_list(value);
        if (param->means == HF_MEANS_KEYS)
            hf_rules_assess_keys(rules, (const char *const *)texts, assessment);
        for (char **text = texts; *text; text++)
            assess_text(passage, rules, param->means, *text, assessment);
    }
}

/* Time limit for the hand to read a file. */
#define INSPECT_MS 5000

static HfResult *read_file_to_run(const HfPassage *passage, GError **error)
{
    HfDeadline limit = hf_deadline_in_ms(INSPECT_MS, passage->cancellable);
    HfErrand errand = {.tool = passage->tool,
                       .params = passage->params,
                       .deadline = &limit,
                       .walls = passage->errand.walls,
                       .inspect = TRUE};
    return passage->guard->perform(passage->guard->data, passage->desktop, &errand, error);
}

/* In a forecast an earlier step may still have to create the file; then it is judged when the step
 * is done. A program that cannot be found is not started, and the hand says why. */
static gboolean may_go_uninspected(const HfPassage *passage, HfErrorCode code)
{
    if (passage->tool->command.risk &&
        (code == HF_ERROR_APP_NOT_FOUND || code == HF_ERROR_CONFLICT ||
         code == HF_ERROR_INVALID_PARAMS || code == HF_ERROR_PRECONDITION_FAILED))
        return TRUE;
    return passage->typed.ahead &&
           (code == HF_ERROR_FILE_NOT_FOUND || code == HF_ERROR_PRECONDITION_FAILED);
}

gboolean hf_risk_inspect(HfPassage *passage, GError **error)
{
    g_autoptr(GError) problem = NULL;
    if (!passage->tool->inspect || passage->inspected)
        return TRUE;
    g_autoptr(HfResult) found = read_file_to_run(passage, &problem);
    if (!found && may_go_uninspected(passage, hf_error_code(problem)))
        return TRUE;
    if (!found) {
        g_propagate_error(error, g_steal_pointer(&problem));
        return FALSE;
    }
    passage->inspected = json_incref(found->json);
    const char *sha256 = hf_json_string(found->json, "sha256", "");
    passage->errand.inspected_sha256 = g_strdup(sha256);
    return TRUE;
}

static const json_t *find_param_that_means(const HfPassage *passage, HfMeans means)
{
    for (const HfParam *param = passage->tool->params; param && param->name; param++)
        if (param->means == means)
            return json_object_get(passage->params, param->name);
    return NULL;
}

/* Whether the program is called by its own name, and nothing but the system adds arguments: then
 * the parameters, which are judged already, say the same. Long arguments take long to judge. */
static gboolean says_what_params_say(const HfPassage *passage)
{
    const json_t *program = json_object_get(passage->inspected, "program");
    const json_t *added = json_object_get(program, "arguments");
    const json_t *given = find_param_that_means(passage, HF_MEANS_ARGUMENTS);
    const char *name = json_string_value(find_param_that_means(passage, HF_MEANS_PROGRAM));
    g_autofree char *base = name ? g_path_get_basename(name) : NULL;
    gboolean same = given ? json_equal(given, added) : json_array_size(added) == 0;
    hf_json_each (own, program && same ? json_object_get(program, "names") : NULL)
        if (g_strcmp0(json_string_value(own), base) == 0)
            return TRUE;
    return FALSE;
}

/* What would run is judged by its content, and the hand checks that it runs what was judged. */
static gboolean assess_file(HfPassage *passage, const HfRules *rules, HfRiskAssessment *assessment,
                            GError **error)
{
    if (passage->tool->flags & HF_TOOL_INSPECT_IF_ASKED)
        return TRUE;
    if (!hf_risk_inspect(passage, error))
        return FALSE;
    g_auto(GStrv) arguments = dup_text_list(json_object_get(passage->inspected, "arguments"));
    if (passage->inspected && !says_what_params_say(passage))
        hf_rules_assess_file(rules, (const char *const *)arguments,
                             hf_json_string(passage->inspected, "path", ""),
                             hf_json_string(passage->inspected, "content", NULL), assessment);
    return TRUE;
}

static gboolean refuse_blocked_rule(const HfPassage *passage, const HfRiskAssessment *assessment,
                                    GError **error)
{
    hf_fail(error, assessment->app ? HF_ERROR_APP_NOT_ALLOWED : HF_ERROR_DANGEROUS_ACTION_BLOCKED,
            "%s (rule %s)", assessment->message, assessment->block);
    hf_error_take_details(error, json_pack("{s:s, s:O}", "rule", assessment->block, "rules",
                                           passage->judgement.rules));
    return FALSE;
}

/* The current rules. A new rules file that cannot be used is audited, once. */
static HfRules *take_current_rules(const HfPassage *passage)
{
    g_autoptr(GError) problem = NULL;
    HfRules *rules = hf_live_rules_get(passage->guard->live_rules, passage->config, &problem);
    if (problem)
        hf_audit_event(passage->guard->audit, "rules", NULL,
                       json_pack("{s:b, s:o}", "ok", FALSE, "error", hf_error_to_json(problem)));
    return rules;
}

/* The application lists of all grants; NULL: not restricted. */
static json_t *list_allowed_apps(const HfPassage *passage)
{
    json_t *lists = NULL;
    for (guint i = 0; passage->grant.chain && i < passage->grant.chain->len; i++) {
        const HfGrantEntry *entry = passage->grant.chain->pdata[i];
        const json_t *list = hf_grant_find_list(entry->grant, "allowed_apps");
        if (list && !lists)
            lists = json_array();
        if (list)
            json_array_append_new(lists, json_deep_copy(list));
    }
    return lists;
}

static char *dump_list_or_empty(const json_t *list)
{
    return list ? hf_json_dump(list) : g_strdup("[]");
}

/* The fence: what the hand must neither touch nor show, whatever is in front when it acts. */
static char *dup_fence_of(const HfPassage *passage)
{
    g_autofree char *rules = hf_live_rules_dup_fence(passage->guard->live_rules);
    g_autoptr(json_t) lists = list_allowed_apps(passage);
    g_autoptr(json_t) blurred = hf_config_privacy_list_for(
        hf_config_get(passage->config, "privacy.blur"), passage->desktop);
    if (!rules && !lists && !blurred)
        return NULL;
    g_autofree char *allowed = dump_list_or_empty(lists), *blur = dump_list_or_empty(blurred);
    return g_strdup_printf("{\"rules\":%s,\"allowed\":%s,\"blur\":%s}", rules ? rules : "[]",
                           allowed, blur);
}

gboolean hf_step_risk(HfPassage *passage, GError **error)
{
    g_autoptr(HfRules) rules = take_current_rules(passage);
    g_auto(HfRiskAssessment) assessment = {0};
    passage->errand.walls = walls_for_call(passage);
    assess_params(passage, rules, passage->tool->params, passage->params, &assessment);
    gboolean known = assess_file(passage, rules, &assessment, error);
    hf_typed_lines_assess(passage, rules, &assessment);
    passage->judgement.risk = MAX(hf_tool_risk(passage->tool, passage->contained), assessment.risk);
    passage->judgement.ask_always = assessment.ask_always;
    passage->judgement.rules = assessment.rules ? json_incref(assessment.rules) : json_array();
    hf_json_each (rule, passage->judgement.rules)
        json_object_del(rule, "message_zh");
    if (json_array_size(passage->judgement.rules) > 0)
        passage->answer->rules = json_incref(passage->judgement.rules);
    passage->errand.fence = dup_fence_of(passage);
    return known && (!assessment.block || refuse_blocked_rule(passage, &assessment, error));
}
