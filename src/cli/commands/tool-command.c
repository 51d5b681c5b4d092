/* SPDX-License-Identifier: Apache-2.0 */
/* `handfast TOOL ...` and `handfast call TOOL JSON`. */
#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/approval-prompt.h"
#include "cli/cli.h"
#include "cli/command-arguments.h"
#include "cli/commands.h"
#include "cli/desk-client.h"
#include "cli/print-files.h"
#include "cli/print.h"
#include "cli/text-input.h"
#include "cli/tool-arguments.h"
#include "shared/base/error.h"
#include "shared/base/json.h"
#include "shared/tool/registry.h"

static char *make_name(const json_t *result, const char *tool)
{
    g_autoptr(GDateTime) now = g_date_time_new_now_local();
    g_autofree char *stamp = g_date_time_format(now, "%Y%m%d-%H%M%S");
    gboolean png = g_str_equal(hf_json_string(result, "format", "jpeg"), "png");
    return g_strdup_printf("%s-%s-%03d.%s", tool, stamp, g_date_time_get_microsecond(now) / 1000,
                           png ? "png" : "jpg");
}

/* Writes to the file itself, which may be a device or a pipe, and truncates a longer one. */
static gboolean write_over(const char *path, const guchar *bytes, gsize size)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "wb");
    if (!file)
        return FALSE;
    gboolean written = fwrite(bytes, 1, size, file) == size;
    return fclose(file) == 0 && written;
}

static gboolean save_picture(json_t *result, const char *tool, const char *output, GError **error)
{
    const char *base64 = hf_json_string(result, "image", NULL);
    if (!base64)
        return TRUE;
    gsize size;
    g_autofree guchar *bytes = g_base64_decode(base64, &size);
    g_autofree char *path = output ? g_strdup(output) : make_name(result, tool);
    json_object_del(result, "image");
    if (g_str_equal(path, "-"))
        return fwrite(bytes, 1, size, stdout) == size ||
               hf_fail(error, HF_ERROR_STORAGE_FAILED,
                       "cannot write the picture to standard output");
    if (!write_over(path, bytes, size))
        return hf_fail(error, HF_ERROR_STORAGE_FAILED, "cannot write the picture: %s: %s", path,
                       g_strerror(errno));
    json_object_set_new(result, "file", hf_json_text(path));
    json_object_set_new(result, "bytes", json_integer((json_int_t)size));
    return TRUE;
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
    if (!save_picture(result, tool->name, args->output, &error))
        return hf_cli_report_failure(error);
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
        return hf_cli_report_failure(error);
    if (args.help) {
        hf_help_print_tool(tool);
        return HF_EXIT_OK;
    }
    g_autoptr(json_t) answer = hf_cli_request_waiting(
        "call", json_pack("{s:s, s:O}", "tool", tool->name, "params", args.params),
        hf_approval_prompt, &error);
    return answer ? show_tool_answer(tool, answer, &args) : hf_cli_report_failure(error);
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
    g_autoptr(HfCommandArguments) arguments =
        hf_command_arguments_parse_or_report("call", argc, argv);
    if (!arguments)
        return HF_EXIT_USAGE;
    const char *given = hf_command_arguments_value(arguments, "JSON|-|@FILE");
    g_autoptr(json_t) params = read_params(given ? given : "{}", &error);
    if (!params)
        return hf_cli_report_failure(error);
    g_autoptr(json_t) answer = hf_cli_request_waiting(
        "call",
        json_pack("{s:s, s:O}", "tool", hf_command_arguments_value(arguments, "TOOL"), "params",
                  params),
        hf_approval_prompt, &error);
    if (!answer)
        return hf_cli_report_failure(error);
    hf_print_json(answer);
    return hf_json_bool(answer, "ok", FALSE) ? HF_EXIT_OK : HF_EXIT_FAILED;
}
