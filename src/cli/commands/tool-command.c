/* SPDX-License-Identifier: Apache-2.0 */
/* `handfast TOOL ...` and `handfast call TOOL JSON`. */
#include <stdio.h>
#include <string.h>

#include "cli/approval-prompt.h"
#include "cli/cli.h"
#include "cli/command-arguments.h"
#include "cli/commands.h"
#include "cli/desk-client.h"
#include "cli/picture-file.h"
#include "cli/print-files.h"
#include "cli/print.h"
#include "cli/text-input.h"
#include "cli/tool-arguments.h"
#include "shared/base/error.h"
#include "shared/tool/registry.h"

/* The exit status for an error that occurred before any answer. */
static int fail_without_answer(const GError *error)
{
    hf_print_gerror(error);
    if (g_error_matches(error, HF_ERROR, HF_ERROR_DESKTOP_HOST_NOT_RUNNING))
        return HF_EXIT_NO_DESK;
    return g_error_matches(error, HF_ERROR, HF_ERROR_INVALID_PARAMS) ? HF_EXIT_USAGE
                                                                     : HF_EXIT_FAILED;
}

static void print_effect(const json_t *answer)
{
    const json_t *effect = json_object_get(answer, "effect");
    if (!effect)
        return;
    g_autofree char *text = g_strdup_printf("%s: %s", hf_json_string(effect, "verdict", ""),
                                            hf_json_string(effect, "why", ""));
    g_autoptr(json_t) shown = json_pack("{s:o}", "effect", hf_json_text(text));
    json_t *next = json_object_get(answer, "suggested_next");
    if (next)
        json_object_set(shown, "next", next);
    hf_print_object(shown);
}

static int show_tool_answer(const HfTool *tool, json_t *answer, const HfToolArguments *args)
{
    gboolean ok = hf_json_bool(answer, "ok", FALSE);
    if (args->json) {
        hf_print_json(answer);
        return ok ? HF_EXIT_OK : HF_EXIT_FAILED;
    }
    if (!ok) {
        hf_print_error(json_object_get(answer, "error"));
        return HF_EXIT_FAILED;
    }
    g_autoptr(GError) error = NULL;
    json_t *result = json_object_get(answer, "result");
    const json_t *operation = json_object_get(answer, "operation");
    if (!hf_picture_file_save(result, tool->name, args->output, &error))
        return fail_without_answer(error);
    if (tool->category == HF_CATEGORY_FILES && hf_print_file_result(result))
        return HF_EXIT_OK;
    if (!args->output || strcmp(args->output, "-") != 0)
        hf_print_object(operation ? operation : result);
    print_effect(answer);
    return HF_EXIT_OK;
}

int hf_command_tool(const HfTool *tool, int argc, char **argv)
{
    g_auto(HfToolArguments) args = {0};
    g_autoptr(GError) error = NULL;
    if (!hf_tool_arguments_parse(&args, tool, argc, argv, &error))
        return fail_without_answer(error);
    if (args.help) {
        hf_help_print_tool(tool);
        return HF_EXIT_OK;
    }
    g_autoptr(json_t) answer = hf_cli_request_waiting(
        "call", json_pack("{s:s, s:O}", "tool", tool->name, "params", args.params),
        hf_approval_prompt, &error);
    return answer ? show_tool_answer(tool, answer, &args) : fail_without_answer(error);
}

/* The parameters of `call`; NULL when they are not a JSON object. */
static json_t *read_params(const char *word, GError **error)
{
    json_error_t problem;
    g_autofree char *text = hf_cli_dup_input(word, error);
    if (!text)
        return NULL;
    json_t *params = json_loads(text, 0, &problem);
    if (json_is_object(params))
        return params;
    hf_fail(error, HF_ERROR_INVALID_PARAMS, "the parameters are not a JSON object: %s",
            params ? "wrong type" : problem.text);
    json_decref(params);
    return NULL;
}

int hf_command_call(int argc, char **argv)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(HfCommandArguments) words = hf_command_arguments_parse_or_report("call", argc, argv);
    if (!words)
        return HF_EXIT_USAGE;
    const char *given = hf_command_arguments_value(words, "JSON|-|@FILE");
    g_autoptr(json_t) params = read_params(given ? given : "{}", &error);
    if (!params)
        return fail_without_answer(error);
    g_autoptr(json_t) answer = hf_cli_request_waiting(
        "call",
        json_pack("{s:s, s:O}", "tool", hf_command_arguments_value(words, "TOOL"), "params",
                  params),
        hf_approval_prompt, &error);
    if (!answer)
        return fail_without_answer(error);
    hf_print_json(answer);
    return hf_json_bool(answer, "ok", FALSE) ? HF_EXIT_OK : HF_EXIT_FAILED;
}
