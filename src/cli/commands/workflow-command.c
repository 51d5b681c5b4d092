/* SPDX-License-Identifier: Apache-2.0 */
/* `handfast workflow`: checks or runs a workflow from a file, by the tool run_workflow. */
#include "cli/approval-prompt.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/desk-client.h"
#include "cli/print.h"
#include "cli/text-input.h"
#include "shared/base/error.h"
#include "shared/base/i18n.h"
#include "shared/base/json.h"
#include "shared/tool/registry.h"
#include "shared/tool/schema.h"

/* ---- the JSON Schema of a workflow file ----
 * That of run_workflow, with what a table cannot express: that steps contain steps, and how
 * conditions are written. */

static json_t *schema_reference(const char *name)
{
    g_autofree char *place = g_strconcat("#/$defs/", name, NULL);
    return json_pack("{s:s}", "$ref", place);
}

static json_t *schema_list_of(const char *name, int least)
{
    return json_pack("{s:s, s:i, s:o}", "type", "array", "minItems", least, "items",
                     schema_reference(name));
}

static json_t *schema_object_form(const char *word, json_t *take_value)
{
    return json_pack("{s:s, s:[s], s:b, s:{s:o}}", "type", "object", "required", word,
                     "additionalProperties", 0, "properties", word, take_value);
}

static json_t *schema_condition(void)
{
    static const char *const pairs[] = {"equals", "contains", "matches", "less", "greater"};
    json_t *forms = json_array();
    json_array_append_new(forms, schema_object_form("exists", schema_reference("reference")));
    json_array_append_new(forms, schema_object_form("ok", json_pack("{s:s}", "type", "string")));
    for (gsize i = 0; i < G_N_ELEMENTS(pairs); i++)
        json_array_append_new(
            forms, schema_object_form(pairs[i], json_pack("{s:s, s:i, s:i}", "type", "array",
                                                          "minItems", 2, "maxItems", 2)));
    json_array_append_new(forms, schema_object_form("and", schema_list_of("condition", 1)));
    json_array_append_new(forms, schema_object_form("or", schema_list_of("condition", 1)));
    json_array_append_new(forms, schema_object_form("not", schema_reference("condition")));
    return json_pack("{s:o}", "oneOf", forms);
}

static void replace_property_schema(json_t *properties, const char *name, json_t *take_form)
{
    json_t *member = json_object_get(properties, name);
    json_t *about = json_incref(json_object_get(member, "description"));
    json_object_set_new(take_form, "description", about);
    json_object_set_new(properties, name, take_form);
}

/* The schema of a step, taken from that of the list. */
static json_t *extract_step_schema(json_t *steps)
{
    json_t *step = json_incref(json_object_get(steps, "items"));
    json_t *properties = json_object_get(step, "properties");
    json_object_set_new(steps, "items", schema_reference("step"));
    replace_property_schema(properties, "if", schema_reference("condition"));
    replace_property_schema(properties, "until", schema_reference("condition"));
    replace_property_schema(properties, "steps", schema_list_of("step", 1));
    replace_property_schema(properties, "else", schema_list_of("step", 1));
    replace_property_schema(properties, "otherwise", schema_list_of("step", 1));
    json_object_set_new(step, "oneOf",
                        json_pack("[{s:[s]}, {s:[s]}]", "required", "tool", "required", "steps"));
    return step;
}

/* Nested steps and conditions are recursive definitions. Owned. */
static json_t *workflow_schema(void)
{
    json_t *schema = hf_schema_of_params(hf_registry_find("run_workflow"));
    json_t *steps = json_object_get(json_object_get(schema, "properties"), "steps");
    json_object_set_new(schema, "$schema",
                        json_string("https://json-schema.org/draft/2020-12/schema"));
    json_object_set_new(schema, "title", json_string("A workflow for run_workflow"));
    json_object_set_new(schema, "$defs",
                        json_pack("{s:o, s:o, s:{s:s, s:s}}", "step", extract_step_schema(steps),
                                  "condition", schema_condition(), "reference", "type", "string",
                                  "pattern", "^\\$\\{[A-Za-z0-9_.\\[\\]-]+\\}$"));
    return schema;
}

/* A file by its name, or "-" for standard input. */
static json_t *read_workflow_file(const char *name, GError **error)
{
    g_autofree char *word = strcmp(name, "-") == 0 ? g_strdup("-") : g_strconcat("@", name, NULL);
    g_autofree char *text = hf_cli_dup_input(word, error);
    json_error_t problem;
    json_t *workflow = text ? json_loads(text, 0, &problem) : NULL;
    if (json_is_object(workflow))
        return workflow;
    if (text)
        hf_fail(error, HF_ERROR_INVALID_PARAMS, _("%s is not a workflow: line %d: %s"), name,
                workflow ? 1 : problem.line,
                workflow ? _("expected an object with steps") : problem.text);
    json_decref(workflow);
    return NULL;
}

/* NAME=VALUE: a JSON value, or else plain text. */
static gboolean add_var(json_t *workflow, const char *word, GError **error)
{
    const char *sign = strchr(word, '=');
    if (!sign || sign == word)
        return hf_fail(error, HF_ERROR_INVALID_PARAMS, _("--var: expected NAME=VALUE, not '%s'"),
                       word);
    g_autofree char *name = g_strndup(word, (gsize)(sign - word));
    json_t *vars = json_object_get(workflow, "vars");
    if (!json_is_object(vars)) {
        vars = json_object();
        json_object_set_new(workflow, "vars", vars);
    }
    json_t *value = json_loads(sign + 1, JSON_DECODE_ANY, NULL);
    json_object_set_new(vars, name, value ? value : hf_json_text(sign + 1));
    return TRUE;
}

static gboolean add_words(const HfCommandArguments *arguments, json_t *workflow, GError **error)
{
    gint64 timeout = 0;
    for (char **var = hf_command_arguments_all(arguments, "var"); *var; var++)
        if (!add_var(workflow, *var, error))
            return FALSE;
    if (!hf_command_arguments_int(arguments, "timeout", &timeout, error))
        return FALSE;
    if (timeout > 0)
        json_object_set_new(workflow, "timeout_ms", json_integer(timeout));
    if (hf_command_arguments_has(arguments, "async"))
        json_object_set_new(workflow, "async", json_true());
    hf_command_arguments_add_text(arguments, "desktop", workflow, "desktop");
    return TRUE;
}

static json_t *step_to_row(const json_t *step)
{
    const json_t *error = json_object_get(step, "error");
    gboolean skipped = hf_json_bool(step, "skipped", FALSE);
    g_autofree char *took = g_strdup_printf("%.1f ms", hf_json_number(step, "duration_ms", 0));
    return json_pack("{s:s, s:s, s:s, s:s, s:I, s:s}", "step", hf_json_string(step, "place", "?"),
                     "name", hf_json_string(step, "name", ""), "tool",
                     hf_json_string(step, "tool", "-"), "outcome",
                     skipped ? _("skipped")
                     : error ? hf_json_string(error, "code", "?")
                             : "OK",
                     "attempts", hf_json_int(step, "attempts", 0), "took", took);
}

static void print_workflow_steps(const json_t *steps)
{
    static const char *const columns[] = {"step",     "name", "tool", "outcome",
                                          "attempts", "took", NULL};
    g_autoptr(json_t) rows = json_array();
    hf_json_each (step, steps)
        json_array_append_new(rows, step_to_row(step));
    if (json_array_size(rows) > 0)
        hf_print_table(rows, columns);
}

/* The plan of a dry run, indented. */
static void print_plan(const json_t *steps, int depth)
{
    static const char *const inner[] = {"steps", "else", "otherwise"};
    hf_json_each (step, steps) {
        const json_t *error = json_object_get(step, "error");
        printf("  %*s%s%s%s%s%s\n", depth * 4, "", hf_json_string(step, "tool", _("a group")),
               json_object_get(step, "if") ? _(", if its condition is true") : "",
               json_object_get(step, "for_each") ? _(", for each member of a list") : "",
               hf_json_bool(step, "depends", FALSE) ? _(" (depends on earlier results)") : "",
               error ? _(" (would be refused now)") : "");
        for (gsize i = 0; i < G_N_ELEMENTS(inner); i++) {
            const json_t *list = json_object_get(step, inner[i]);
            if (list && i > 0)
                printf("  %*s%s:\n", depth * 4 + 2, "", inner[i]);
            print_plan(list, depth + 1);
        }
    }
}

static int show_workflow_answer(const json_t *answer)
{
    gboolean ok = hf_json_bool(answer, "ok", FALSE);
    const json_t *result = json_object_get(answer, "result"),
                 *error = json_object_get(answer, "error"),
                 *operation = json_object_get(answer, "operation");
    const json_t *target = json_object_get(result, "target");
    if (hf_print_is_json())
        hf_print_json(answer);
    else if (operation)
        hf_print_object(operation);
    else if (target)
        print_plan(json_object_get(target, "steps"), 0);
    else
        print_workflow_steps(json_object_get(
            ok ? result : json_object_get(json_object_get(error, "details"), "done"), "steps"));
    if (!ok && !hf_print_is_json())
        hf_print_error(error);
    return ok ? HF_EXIT_OK : HF_EXIT_FAILED;
}

static int run_workflow_command(const HfCommandArguments *arguments, gboolean check)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(json_t) workflow =
        read_workflow_file(hf_command_arguments_value(arguments, "FILE"), &error);
    if (!workflow || !add_words(arguments, workflow, &error))
        return hf_cli_report_failure(error);
    if (check)
        json_object_set_new(workflow, "dry_run", json_true());
    g_autoptr(json_t) answer = hf_cli_request_waiting(
        "call", json_pack("{s:s, s:O}", "tool", "run_workflow", "params", workflow),
        hf_approval_prompt, &error);
    return answer ? show_workflow_answer(answer) : hf_cli_report_failure(error);
}

int hf_command_workflow(const HfCommandArguments *arguments)
{
    if (!hf_command_arguments_is(arguments, "schema"))
        return run_workflow_command(arguments, hf_command_arguments_is(arguments, "check"));
    g_autoptr(json_t) schema = workflow_schema();
    hf_print_json(schema);
    return HF_EXIT_OK;
}
