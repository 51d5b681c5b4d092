/* SPDX-License-Identifier: Apache-2.0 */
/* `handfast rules`: lists the rules, and shows which match a command, keys, a text, a path, a URL
 * or an application. Needs no desk: it reads the same files. */
#include <stdio.h>

#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/print.h"
#include "shared/base/error.h"
#include "shared/base/i18n.h"
#include "shared/rules/rules.h"

static gboolean reads_chinese(void)
{
    const char *const *languages = g_get_language_names();
    return g_str_has_prefix(languages[0], "zh");
}

static json_t *localise_rules(json_t *take_rules)
{
    hf_json_each (rule, take_rules) {
        if (reads_chinese())
            json_object_set(rule, "message", json_object_get(rule, "message_zh"));
        json_object_del(rule, "message_zh");
    }
    return take_rules;
}

static int list_rules(const HfRules *rules)
{
    static const char *const columns[] = {"id", "looks_at", "risk", "message", NULL};
    g_autoptr(json_t) described = hf_rules_describe(rules);
    if (hf_print_is_json())
        hf_print_json(described);
    else
        hf_print_table(localise_rules(described), columns);
    return HF_EXIT_OK;
}

/* FALSE when there is nothing to check. */
static gboolean assess_arguments(const HfRules *rules, const HfCommandArguments *arguments,
                                 HfRiskAssessment *assessment)
{
    const char *keys = hf_command_arguments_get(arguments, "keys"),
               *text = hf_command_arguments_get(arguments, "text"),
               *path = hf_command_arguments_get(arguments, "path"),
               *url = hf_command_arguments_get(arguments, "url"),
               *app = hf_command_arguments_get(arguments, "app"),
               *command = hf_command_arguments_value(arguments, "COMMAND");
    if (keys)
        hf_rules_assess_keys(rules, (const char *const[]){keys, NULL}, assessment);
    if (text)
        hf_rules_assess_text(rules, text, assessment);
    if (path)
        hf_rules_assess_path(rules, path, TRUE, assessment);
    if (url)
        hf_rules_assess_url(rules, url, assessment);
    if (app)
        hf_rules_assess_app(rules, app, assessment);
    if (command)
        hf_rules_assess_command(rules, command, assessment);
    return keys || text || path || url || app || command;
}

static int check_rules(const HfRules *rules, const HfCommandArguments *arguments)
{
    static const char *const columns[] = {"id", "risk", "what", "message", NULL};
    g_auto(HfRiskAssessment) assessment = {.risk = HF_RISK_LOW};
    if (!assess_arguments(rules, arguments, &assessment)) {
        return hf_command_print_usage("rules");
    }
    json_t *found = assessment.rules ? assessment.rules : json_array();
    assessment.rules = found;
    const char *risk = assessment.block ? "block" : hf_risk_name(assessment.risk);
    if (hf_print_is_json()) {
        g_autoptr(json_t) answer =
            json_pack("{s:s, s:b, s:b, s:O}", "risk", risk, "block", assessment.block != NULL,
                      "ask_always", assessment.ask_always, "rules", found);
        hf_print_json(answer);
        return HF_EXIT_OK;
    }
    hf_print_title(risk);
    if (json_array_size(found) > 0)
        hf_print_table(localise_rules(found), columns);
    else
        printf("  %s\n", _("no rule matches"));
    return HF_EXIT_OK;
}

int hf_command_rules(const HfCommandArguments *arguments)
{
    g_autoptr(GError) error = NULL;
    const char *file = hf_command_arguments_get(arguments, "file");
    g_autofree char *path = file ? g_strdup(file) : hf_rules_dup_path();
    g_autoptr(HfRules) rules = hf_rules_load(path, NULL, &error);
    if (!rules) {
        hf_print_gerror(error);
        return HF_EXIT_FAILED;
    }
    return hf_command_arguments_is(arguments, "list") ? list_rules(rules)
                                                      : check_rules(rules, arguments);
}
