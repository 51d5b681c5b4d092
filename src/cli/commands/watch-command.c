/* SPDX-License-Identifier: Apache-2.0 */
/* `handfast watch`: shows events as they happen, until Ctrl+C. When the desk ends, it waits for
 * the next one and continues where it stopped. */
#include <errno.h>
#include <glib.h>
#include <jansson.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/desk-client.h"
#include "cli/print.h"
#include "shared/base/error.h"
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
    {"config.held", "✎", YELLOW, N_("a change of the configuration waits for the owner")},
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

static void print_event_line(const json_t *event)
{
    if (isatty(1))
        print_on_terminal(event);
    else
        print_plain(event);
}

/* The interval between attempts to reconnect. */
#define RETRY_MS 250

typedef struct Watch {
    gboolean as_json;
    gint64 since; /* 0: only new events */
    char **types;
    int fd;
    GString *received; /* received from the desk, up to the next newline */
    int status;        /* the exit status when the desk refuses */
} Watch;

static volatile sig_atomic_t ended;

static void on_watch_signal(int number)
{
    ended = 1;
}

/* Signals are delivered only while we wait, so none is lost in between. */
static void prepare_signals(sigset_t *ret_waiting)
{
    sigset_t caught;
    sigemptyset(&caught);
    sigaddset(&caught, SIGINT);
    sigaddset(&caught, SIGTERM);
    sigprocmask(SIG_BLOCK, &caught, ret_waiting);
    sigdelset(ret_waiting, SIGINT);
    sigdelset(ret_waiting, SIGTERM);
    sigaction(SIGINT, &(struct sigaction){.sa_handler = on_watch_signal}, NULL);
    sigaction(SIGTERM, &(struct sigaction){.sa_handler = on_watch_signal}, NULL);
}

static void subscribe_events(const Watch *watch)
{
    g_autoptr(json_t) types = json_array();
    for (char **type = watch->types; type && *type; type++)
        json_array_append_new(types, hf_json_text(*type));
    g_autoptr(json_t) request =
        json_pack("{s:s, s:i, s:s, s:{s:I, s:O}}", "jsonrpc", "2.0", "id", 1, "method",
                  "events.subscribe", "params", "since", (json_int_t)watch->since, "types", types);
    g_autofree char *dump = hf_json_dump(request);
    g_autofree char *line = g_strconcat(dump, "\n", NULL);
    /* A desk that refuses us says why before it reads anything, so a failed write does not matter.
     */
    (void)!send(watch->fd, line, strlen(line), MSG_NOSIGNAL);
}

static void show_event(Watch *watch, const json_t *event)
{
    watch->since = hf_json_int(event, "id", watch->since);
    if (watch->as_json) {
        g_autofree char *text = hf_json_dump(event);
        printf("%s\n", text);
    } else {
        print_event_line(event);
    }
}

/* The answer to our request; FALSE when it was refused. */
static gboolean take_subscribe_answer(Watch *watch, const json_t *message)
{
    const json_t *result = json_object_get(message, "result");
    const json_t *problem = json_object_get(result, "error");
    if (!result)
        problem = json_object_get(json_object_get(message, "error"), "data");
    if (result && !problem) {
        watch->since = hf_json_int(json_object_get(result, "result"), "since", watch->since);
        return TRUE;
    }
    watch->status = HF_EXIT_FAILED;
    hf_print_error(problem ? problem : json_object_get(message, "error"));
    return FALSE;
}

static gboolean take_event_lines(Watch *watch)
{
    const char *end;
    while ((end = memchr(watch->received->str, '\n', watch->received->len))) {
        gsize length = (gsize)(end - watch->received->str);
        g_autoptr(json_t) message = json_loadb(watch->received->str, length, 0, NULL);
        g_string_erase(watch->received, 0, (gssize)length + 1);
        if (json_object_get(message, "method"))
            show_event(watch, json_object_get(message, "params"));
        else if (!take_subscribe_answer(watch, message))
            return FALSE;
    }
    fflush(stdout);
    return TRUE;
}

/* The desk answers a subscription at once. Later it may be silent for as long as nothing happens.
 */
static gboolean wait_for_subscription(Watch *watch)
{
    g_autoptr(GError) error = NULL;
    if (hf_cli_wait_for_desk(watch->fd, &error))
        return TRUE;
    watch->status = hf_cli_report_failure(error);
    return FALSE;
}

/* TRUE when the desk ended; FALSE when there is no reason to continue. */
static gboolean follow_events(Watch *watch, const sigset_t *waiting)
{
    static char piece[64 * 1024];
    for (;;) {
        /* Notices that the reader of our output has gone, even while no event comes. */
        struct pollfd polled[] = {{watch->fd, POLLIN, 0}, {1, 0, 0}};
        int count = ppoll(polled, G_N_ELEMENTS(polled), NULL, waiting);
        if (ended || polled[1].revents & (POLLERR | POLLHUP))
            return FALSE;
        if (count < 0)
            continue;
        ssize_t got = recv(watch->fd, piece, sizeof piece, MSG_DONTWAIT);
        if (got < 0 && (errno == EAGAIN || errno == EINTR))
            continue;
        if (got <= 0)
            return TRUE;
        g_string_append_len(watch->received, piece, got);
        if (!take_event_lines(watch))
            return FALSE;
    }
}

/* FALSE when a signal asked it to end meanwhile. */
static gboolean reconnect_watch(Watch *watch, const sigset_t *waiting)
{
    struct timespec pause = {.tv_nsec = RETRY_MS * 1000000L};
    if (isatty(2))
        fprintf(stderr, "%s\n",
                _("The desk has ended; waiting for the next one. Press Ctrl+C to quit."));
    while ((watch->fd = hf_cli_connect(0, NULL)) < 0) {
        ppoll(NULL, 0, &pause, waiting);
        if (ended)
            return FALSE;
    }
    return TRUE;
}

static int run_watch(Watch *watch)
{
    sigset_t waiting;
    g_autoptr(GError) error = NULL;
    watch->fd = hf_cli_connect(0, &error);
    if (watch->fd < 0) {
        hf_print_gerror(error);
        return HF_EXIT_NO_DESK;
    }
    prepare_signals(&waiting);
    gboolean go_on = TRUE;
    while (go_on) {
        g_string_truncate(watch->received, 0);
        subscribe_events(watch);
        go_on = wait_for_subscription(watch) && follow_events(watch, &waiting);
        close(watch->fd);
        go_on = go_on && reconnect_watch(watch, &waiting);
    }
    if (ended && isatty(1))
        printf("\n");
    return watch->status;
}

int hf_command_watch(const HfCommandArguments *arguments)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GString) received = g_string_new(NULL);
    Watch watch = {.received = received,
                   .as_json = hf_print_is_json(),
                   .types = hf_command_arguments_all(arguments, "type")};
    if (!hf_command_arguments_int(arguments, "since", &watch.since, &error)) {
        hf_print_gerror(error);
        return HF_EXIT_USAGE;
    }
    return watch.since < 0 ? hf_command_print_usage("watch") : run_watch(&watch);
}
