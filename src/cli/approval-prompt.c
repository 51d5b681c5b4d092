/* SPDX-License-Identifier: Apache-2.0 */
/* Shows an approval and passes the answer on. The desk decides whether the answer is the owner's,
 * by the same check as for everyone else. */
#include "cli/approval-prompt.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/desk-client.h"
#include "cli/print.h"
#include "shared/base/error.h"
#include "shared/base/i18n.h"
#include "shared/base/json.h"

/* Texts of others must not send control sequences to the terminal. */
char *hf_dup_harmless_text(const char *text)
{
    GString *out = g_string_new(NULL);
    for (const char *p = text; *p; p = g_utf8_next_char(p)) {
        gunichar character = g_utf8_get_char(p);
        GUnicodeType type = g_unichar_type(character);
        if (type == G_UNICODE_CONTROL || type == G_UNICODE_FORMAT ||
            type == G_UNICODE_LINE_SEPARATOR || type == G_UNICODE_PARAGRAPH_SEPARATOR)
            g_string_append_printf(out, "\\u%04x", character);
        else
            g_string_append_unichar(out, character);
    }
    return g_string_free(out, FALSE);
}

static void print_line(FILE *out, const char *name, const char *text)
{
    if (!text || !*text)
        return;
    g_autofree char *harmless = hf_dup_harmless_text(text);
    fprintf(out, "  %-10s %s\n", name, harmless);
}

static void print_approval_value(FILE *out, const char *name, const json_t *value)
{
    g_autofree char *text = value ? hf_json_dump(value) : NULL;
    if (json_is_string(value))
        print_line(out, name, json_string_value(value));
    else
        print_line(out, name, text);
}

/* A longer diff is cut here; `handfast approvals show --json` has all of it. */
#define DIFF_LINES 200

static void print_text_lines(FILE *out, const char *text)
{
    g_auto(GStrv) lines = g_strsplit(text, "\n", DIFF_LINES + 1);
    for (guint i = 0; lines[i] && (lines[i][0] || lines[i + 1]); i++) {
        g_autofree char *harmless = i < DIFF_LINES ? hf_dup_harmless_text(lines[i]) : NULL;
        fprintf(out, "  %s\n", harmless ? harmless : "...");
    }
}

/* The files that the call runs, each with the beginning of its content. */
static void print_scripts(FILE *out, const json_t *approval)
{
    hf_json_each (script, json_object_get(approval, "scripts")) {
        print_line(out, _("script"), hf_json_string(script, "path", "?"));
        print_text_lines(out, hf_json_string(script, "content", ""));
    }
}

/* Leaves out what the parameters already show. */
static void print_target(FILE *out, const json_t *target, const json_t *params)
{
    const json_t *window = json_object_get(target, "window");
    const json_t *command = json_object_get(target, "command");
    print_line(out, _("window"), hf_json_string(window, "title", NULL));
    if (!json_equal(command, json_object_get(params, "command")))
        print_approval_value(out, _("command"), command);
    print_approval_value(out, _("point"), json_object_get(target, "point"));
    print_text_lines(out, hf_json_string(target, "diff", ""));
}

/* The steps of a macro, each with its risk and parameters. */
static void print_macro_steps(FILE *out, const json_t *approval)
{
    const json_t *given = json_object_get(json_object_get(approval, "params"), "steps");
    gboolean types = FALSE;
    size_t index;
    json_t *step;
    json_array_foreach (json_object_get(approval, "steps"), index, step) {
        const json_t *params = json_object_get(json_array_get(given, index), "params");
        g_autofree char *name = g_strdup_printf(_("step %zu"), index + 1);
        g_autofree char *text = params ? hf_json_dump(params) : g_strdup("");
        g_autofree char *line = g_strdup_printf("%s (%s) %s", hf_json_string(step, "tool", "?"),
                                                hf_json_string(step, "risk", "?"), text);
        print_line(out, name, line);
        print_scripts(out, step);
        types = types || hf_json_bool(step, "types", FALSE);
    }
    if (types)
        print_line(out, _("passwords"), _("the text may also go into a password field"));
}

/* Why a call is held back because of text of others, and how that ends. */
static void print_taint(FILE *out, const json_t *taint)
{
    g_autoptr(GDateTime) since =
        g_date_time_new_from_unix_local(hf_json_int(taint, "since", 0) / 1000);
    g_autofree char *time = since ? g_date_time_format(since, "%F %H:%M") : g_strdup("?");
    const char *tool = hf_json_string(taint, "tool", "?"),
               *file = hf_json_string(taint, "file", NULL);
    g_autofree char *why =
        file ? g_strdup_printf(_("%s came from elsewhere, by %s, %s"), file, tool, time)
             : g_strdup_printf(_("it has read text of others since %s, last by %s"), time, tool);
    if (!taint)
        return;
    print_line(out, _("tainted"), why);
    print_line(out, _("to clear"), hf_json_string(taint, "clear", NULL));
}

void hf_print_approval(const json_t *approval, gboolean to_error)
{
    FILE *out = to_error ? stderr : stdout;
    const json_t *params = json_object_get(approval, "params");
    const char *key;
    json_t *value;
    fprintf(out, "%s: %s\n", hf_json_string(approval, "tool", "?"),
            _(hf_json_string(approval, "title", "")));
    print_macro_steps(out, approval);
    json_object_foreach ((json_t *)params, key, value)
        if (strcmp(key, "steps") != 0 || !json_object_get(approval, "steps"))
            print_approval_value(out, key, value);
    print_target(out, json_object_get(approval, "target"), params);
    print_scripts(out, approval);
    print_line(out, _("typed line"), hf_json_string(approval, "line", NULL));
    print_line(out, _("desktop"), hf_json_string(approval, "desktop", NULL));
    print_line(out, _("asked by"), hf_json_string(approval, "program", NULL));
    print_line(out, _("project"), hf_json_string(approval, "project", NULL));
    print_line(out, _("reason"), hf_json_string(approval, "reason", NULL));
    print_line(out, _("risk"), hf_json_string(approval, "risk", NULL));
    hf_json_each (rule, json_object_get(approval, "rules"))
        print_line(out, _("rule"), hf_json_string(rule, "message", hf_json_string(rule, "id", "")));
    print_line(out, _("decided by"), hf_json_string(approval, "decided_by", NULL));
    print_taint(out, json_object_get(approval, "taint"));
    print_line(out, _("picture"), hf_json_string(approval, "picture", NULL));
}

static gboolean is_at_terminal(void)
{
    return isatty(STDIN_FILENO) && isatty(STDERR_FILENO) && tcgetpgrp(STDIN_FILENO) == getpgrp();
}

typedef enum Reply {
    REPLY_DESK, /* the desk spoke first: the approval is settled */
    REPLY_WORD,
    REPLY_END, /* end of input */
} Reply;

static Reply read_owner_word(int fd, char *word, int size)
{
    struct pollfd sources[] = {{STDIN_FILENO, POLLIN, 0}, {fd, POLLIN, 0}};
    int ready;
    do
        ready = poll(sources, 2, -1);
    while (ready < 0 && errno == EINTR);
    if (ready > 0 && sources[1].revents)
        return REPLY_DESK;
    ssize_t got = ready > 0 ? read(STDIN_FILENO, word, (gsize)size - 1) : -1;
    if (got <= 0)
        return REPLY_END;
    word[got] = 0;
    g_strstrip(word);
    return REPLY_WORD;
}

gboolean hf_answer_means_yes(const char *word)
{
    static const char *const yes[] = {"y", "Y", "yes", "YES", "是", "好", NULL};
    return g_strv_contains(yes, word);
}

/* FALSE: the desk did not accept the answer, so ask again. */
static gboolean send_owner_answer(const char *id, gboolean yes)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(json_t) answer = hf_cli_request(yes ? "approvals.approve" : "approvals.deny",
                                              json_pack("{s:s}", "id", id), &error);
    if (!answer) {
        hf_print_gerror(error);
        return TRUE;
    }
    if (hf_json_bool(answer, "ok", FALSE))
        return TRUE;
    const json_t *problem = json_object_get(answer, "error");
    hf_print_error(problem);
    return strcmp(hf_json_string(problem, "code", ""), "FORBIDDEN") != 0;
}

void hf_approval_prompt(const json_t *approval, int fd)
{
    const char *id = hf_json_string(approval, "id", "");
    hf_print_approval(approval, TRUE);
    if (!is_at_terminal()) {
        fprintf(stderr, _("Waiting for the owner. To answer: handfast approve %s\n"), id);
        return;
    }
    char word[64];
    Reply reply;
    do {
        fprintf(stderr, _("Allow it? [y/N] "));
        fflush(stderr);
        reply = read_owner_word(fd, word, sizeof word);
        if (reply != REPLY_WORD)
            fprintf(stderr, "\n");
        if (reply == REPLY_DESK)
            return;
    } while (!send_owner_answer(id, reply == REPLY_WORD && hf_answer_means_yes(word)) &&
             reply == REPLY_WORD);
}
