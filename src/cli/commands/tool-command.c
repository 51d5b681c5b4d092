/* SPDX-License-Identifier: Apache-2.0 */
/* `handfast TOOL ...` and `handfast call TOOL JSON`. */
#include "cli/approval-prompt.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/desk-client.h"
#include "cli/print.h"
#include "cli/text-input.h"
#include "cli/tool-arguments.h"
#include "shared/base/error.h"
#include "shared/base/i18n.h"
#include "shared/base/json.h"

/* Unchanged into a pipe; on a terminal without control sequences. */
static void put_safe_text(const char *text)
{
    gboolean terminal = isatty(STDOUT_FILENO);
    for (; *text; text++)
        putchar(terminal && g_ascii_iscntrl(*text) && *text != '\n' && *text != '\t' ? '?' : *text);
}

static void print_content(const json_t *result, const char *content)
{
    gsize length = strlen(content);
    put_safe_text(content);
    if (length > 0 && content[length - 1] != '\n')
        putchar('\n');
    fflush(stdout);
    if (hf_json_bool(result, "redacted", FALSE))
        fprintf(stderr, "%s\n", _("(secrets were removed)"));
}

static void print_entries(const json_t *entries)
{
    hf_json_each (entry, entries) {
        put_safe_text(hf_json_string(entry, "name", ""));
        puts(strcmp(hf_json_string(entry, "type", ""), "directory") == 0 ? "/" : "");
    }
}

static void print_matches(const json_t *matches)
{
    hf_json_each (match, matches) {
        const char *path = hf_json_string(match, "path", "");
        const char *text = hf_json_string(match, "text", NULL);
        gboolean folder = strcmp(hf_json_string(match, "type", ""), "directory") == 0;
        put_safe_text(path);
        if (text)
            printf(":%lld: ", (long long)hf_json_int(match, "line", 0));
        put_safe_text(text ? text : folder ? "/" : "");
        putchar('\n');
    }
}

static void print_changes(const json_t *result, const json_t *changes)
{
    hf_json_each (change, changes) {
        const char *from = hf_json_string(change, "from", NULL);
        printf("%-6s  ", hf_json_string(change, "event", ""));
        put_safe_text(from ? from : "");
        put_safe_text(from ? " → " : "");
        put_safe_text(hf_json_string(change, "path", ""));
        putchar('\n');
    }
    if (hf_json_bool(result, "overflow", FALSE))
        fprintf(stderr, "%s\n", _("(some changes were dropped: there were too many)"));
    fprintf(stderr, _("(to continue: --watch_id %s)\n"), hf_json_string(result, "watch_id", ""));
}

static void print_more(const json_t *result)
{
    json_int_t next = hf_json_int(result, "next_offset", 0);
    if (!hf_json_bool(result, "truncated", FALSE))
        return;
    if (next > 0)
        fprintf(stderr, _("(there is more: --offset %lld)\n"), (long long)next);
    else
        fprintf(stderr, "%s\n", _("(the output is incomplete)"));
}

/* The content of a file unchanged, names one per line, matches as grep prints them. Remarks go to
 * standard error. FALSE: the result is none of these. */
static gboolean print_file_result(const json_t *result)
{
    const char *content = hf_json_string(result, "content", NULL);
    const json_t *entries = json_object_get(result, "entries");
    const json_t *matches = json_object_get(result, "matches");
    gboolean watch = json_object_get(result, "watch_id") != NULL;
    if (content)
        print_content(result, content);
    else if (entries)
        print_entries(entries);
    else if (matches)
        print_matches(matches);
    else if (watch)
        print_changes(result, json_object_get(result, "changes"));
    else
        return FALSE;
    print_more(result);
    return TRUE;
}

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
    if (tool->category == HF_CATEGORY_FILES && print_file_result(result))
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

int hf_command_call(const HfCommandArguments *arguments)
{
    g_autoptr(GError) error = NULL;
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
