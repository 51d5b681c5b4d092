/* SPDX-License-Identifier: Apache-2.0 */
/* Puts first what a narrow terminal must not lose: when, what, and the outcome. */
#include "cli/commands/event-line.h"

#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/print.h"
#include "shared/base/i18n.h"
#include "shared/base/json.h"

/* Wider terminals get columns. */
#define WIDE_COLUMNS 90

#define DIM    "\033[2m"
#define RED    "\033[31m"
#define GREEN  "\033[32m"
#define YELLOW "\033[33m"
#define CYAN   "\033[36m"
#define ALARM  "\033[1;31m"

typedef struct Look {
    const char *type, *mark, *colour;
    const char *words; /* marked with N_() */
} Look;

static const Look looks[] = {
    {"call.started", "▸", DIM, N_("begins")},
    {"call.waiting", "…", YELLOW, N_("waits")},
    {"call.finished", "✓", GREEN, N_("ok")},
    {"approval.open", "?", YELLOW, N_("asks the owner")},
    {"approval.closed", "!", YELLOW, N_("was answered")},
    {"stop", "■", ALARM, N_("everything is stopped")},
    {"pause", "‖", YELLOW, N_("paused")},
    {"resume", "▶", GREEN, N_("resumed")},
    {"abort", "■", YELLOW, N_("aborted")},
    {"takeover", "☞", YELLOW, N_("a person is using the desktop")},
    {"config.changed", "✎", CYAN, N_("the configuration has changed")},
    {"grant.changed", "✎", CYAN, N_("grants have changed")},
    {"token.changed", "✎", CYAN, N_("tokens have changed")},
    {"desktop.added", "+", CYAN, N_("a desktop was added")},
    {"desktop.removed", "-", CYAN, N_("a desktop was removed")},
    {"hand.started", "+", DIM, N_("a hand is ready")},
    {"hand.died", "✗", RED, N_("a hand has ended unexpectedly")},
    {"notice", "i", CYAN, N_("still running; you asked for reports")},
    {"stream.opened", "◉", CYAN, N_("somebody started to watch the screen")},
    {"stream.closed", "○", CYAN, N_("stopped watching the screen")},
    {"operation.started", "⇢", DIM, N_("continues in the background")},
    {"operation.finished", "⇠", DIM, N_("in the background")},
    {"events.missed", "!", ALARM, N_("events were missed")},
};

static const Look failed = {"call.finished", "✗", RED, NULL};
static const Look unknown = {"", "·", "", ""};

static const Look *look_of(const json_t *event)
{
    const char *type = hf_json_string(event, "type", "");
    const json_t *ok = json_object_get(json_object_get(event, "data"), "ok");
    if (strcmp(type, "call.finished") == 0 && json_is_false(ok))
        return &failed;
    for (gsize i = 0; i < G_N_ELEMENTS(looks); i++)
        if (strcmp(looks[i].type, type) == 0)
            return &looks[i];
    return &unknown;
}

/* "ok", an error code, or what happened with its most informative detail. */
static char *dup_outcome(const Look *look, const json_t *data)
{
    static const char *const details[] = {"state",  "problem", "reason", "approval",
                                          "action", "by",      "count",  "run_id"};
    const char *words = look->words ? _(look->words) : hf_json_string(data, "code", "?");
    if (strcmp(look->type, "call.finished") == 0 || strcmp(look->type, "call.started") == 0)
        return g_strdup(words);
    for (gsize i = 0; i < G_N_ELEMENTS(details); i++) {
        const json_t *value = json_object_get(data, details[i]);
        if (json_is_integer(value))
            return g_strdup_printf("%s: %lld", words, (long long)json_integer_value(value));
        if (json_is_string(value) && *json_string_value(value))
            return g_strdup_printf("%s: %s", words, _(json_string_value(value)));
    }
    return g_strdup(words);
}

static char *dup_duration(const json_t *data)
{
    double ms = hf_json_number(data, "duration_ms", -1);
    if (ms < 0)
        return g_strdup("");
    return ms < 1000 ? g_strdup_printf("%.1f ms", ms) : g_strdup_printf("%.1f s", ms / 1000);
}

static char *dup_event_time(const json_t *event, const char *format)
{
    gint64 time_ms = hf_json_int(event, "ts", 0);
    g_autoptr(GDateTime) time = g_date_time_new_from_unix_local(time_ms / 1000);
    return time ? g_date_time_format(time, format) : g_strdup("?");
}

/* Names and reasons come from others: they must not send control sequences to the terminal. */
static void make_harmless(char *text)
{
    for (char *p = text; *p; p = g_utf8_next_char(p))
        if (g_unichar_iscntrl(g_utf8_get_char(p)))
            memset(p, ' ', (gsize)(g_utf8_next_char(p) - p));
}

static int terminal_columns(void)
{
    struct winsize size = {0};
    return ioctl(1, TIOCGWINSZ, &size) == 0 && size.ws_col ? size.ws_col : 80;
}

static void append_cell(GString *line, const char *text, int columns)
{
    int room = columns - hf_print_columns_of(text);
    g_string_append_printf(line, "%s%*s ", text, MAX(room, 0), "");
}

static void append_event_word(GString *rest, const char *text)
{
    if (*text)
        g_string_append_printf(rest, "%s%s", rest->len ? " · " : "", text);
}

static void print_on_terminal(const json_t *event)
{
    const json_t *data = json_object_get(event, "data");
    const Look *look = look_of(event);
    const char *what = hf_json_string(data, "tool", hf_json_string(event, "type", ""));
    const char *desktop = hf_json_string(data, "desktop", "");
    const char *caller = hf_json_string(data, "caller", "");
    g_autofree char *time = dup_event_time(event, "%H:%M:%S"), *outcome = dup_outcome(look, data);
    g_autofree char *duration = dup_duration(data);
    g_autoptr(GString) line = g_string_new(NULL);
    g_autoptr(GString) rest = g_string_new(NULL);
    g_string_printf(line, "%s %s ", time, look->mark);
    if (terminal_columns() >= WIDE_COLUMNS) {
        append_cell(line, what, 20);
        append_cell(line, desktop, 10);
        append_cell(line, caller, 14);
        append_cell(line, duration, 9);
        g_string_append(rest, outcome);
    } else {
        g_string_append_printf(line, "%s ", what);
        append_event_word(rest, outcome);
        append_event_word(rest, duration);
        append_event_word(rest, desktop);
        append_event_word(rest, caller);
    }
    make_harmless(line->str);
    make_harmless(rest->str);
    hf_print_cut_line(g_getenv("NO_COLOR") ? "" : look->colour, line->str, rest->str);
}

static void print_plain(const json_t *event)
{
    const json_t *data = json_object_get(event, "data");
    g_autofree char *time = dup_event_time(event, "%Y-%m-%dT%H:%M:%S%:z");
    g_autofree char *outcome = dup_outcome(look_of(event), data);
    g_autofree char *duration = dup_duration(data);
    make_harmless(outcome);
    printf("%s\t%s\t%s\t%s\t%s\t%s\t%s\n", time, hf_json_string(event, "type", ""),
           hf_json_string(data, "caller", ""), hf_json_string(data, "tool", ""),
           hf_json_string(data, "desktop", ""), outcome, duration);
}

void hf_event_line_print(const json_t *event)
{
    if (isatty(1))
        print_on_terminal(event);
    else
        print_plain(event);
}
