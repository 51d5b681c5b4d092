/* SPDX-License-Identifier: Apache-2.0 */
/* How dangerous is the call? Its risk is the tool's own, raised by rules that match its parameters;
 * nothing lowers it. The same rules, the grants and privacy.blur also make the fence of the call
 * (windows that it must not touch or show) and its walls. The tool's table declares which parameter
 * is a command, a key or a path. The answer and the audit name every rule that matched. */
#include <string.h>

#include "desk/guard/policy/live-rules.h"
#include "desk/guard/policy/typed-lines.h"
#include "desk/guard/policy/walls.h"
#include "desk/guard/steps/steps.h"
#include "desk/policy/config/config-privacy.h"
#include "shared/base/error.h"

static char **dup_text_list(const json_t *value)
{
    g_autoptr(GStrvBuilder) builder = g_strv_builder_new();
    size_t index;
    json_t *member;
    if (json_is_string(value))
        g_strv_builder_add(builder, json_string_value(value));
    json_array_foreach (value, index, member)
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
        size_t index;
        json_t *member;
        if (param->items && param->items->fields) /* a list of objects */
            json_array_foreach (value, index, member)
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

/* A file is judged by its content, and the hand checks that it runs the content that was judged. In
 * a forecast an earlier step may still have to create the file; then it is judged when the step is
 * done. */
static gboolean assess_file(HfPassage *passage, const HfRules *rules, HfRiskAssessment *assessment,
                            GError **error)
{
    g_autoptr(GError) problem = NULL;
    g_autoptr(HfResult) found = passage->tool->inspect ? read_file_to_run(passage, &problem) : NULL;
    HfErrorCode code = problem ? hf_error_code(problem) : HF_ERROR_INTERNAL;
    if (passage->typed.ahead &&
        (code == HF_ERROR_FILE_NOT_FOUND || code == HF_ERROR_PRECONDITION_FAILED))
        return TRUE;
    if (problem) {
        g_propagate_error(error, g_steal_pointer(&problem));
        return FALSE;
    }
    if (!found)
        return TRUE;
    g_auto(GStrv) arguments = dup_text_list(json_object_get(found->json, "arguments"));
    hf_rules_assess_file(rules, (const char *const *)arguments,
                         hf_json_string(found->json, "path", ""),
                         hf_json_string(found->json, "content", NULL), assessment);
    passage->errand.weighed = g_strdup(hf_json_string(found->json, "sha256", ""));
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
    passage->errand.walls = hf_walls_for_call(passage);
    assess_params(passage, rules, passage->tool->params, passage->params, &assessment);
    gboolean known = assess_file(passage, rules, &assessment, error);
    hf_typed_lines_assess(passage, rules, &assessment);
    passage->judgement.risk = MAX(passage->tool->risk, assessment.risk);
    passage->judgement.ask_always = assessment.ask_always;
    passage->judgement.rules = assessment.rules ? json_incref(assessment.rules) : json_array();
    size_t index;
    json_t *rule;
    json_array_foreach (passage->judgement.rules, index, rule)
        json_object_del(rule, "message_zh");
    if (json_array_size(passage->judgement.rules) > 0)
        passage->answer->rules = json_incref(passage->judgement.rules);
    passage->errand.fence = dup_fence_of(passage);
    return known && (!assessment.block || refuse_blocked_rule(passage, &assessment, error));
}
