/* SPDX-License-Identifier: Apache-2.0 */
/* `handfast watch`: shows events as they happen, until Ctrl+C. When the desk ends, it waits for
 * the next one and continues where it stopped. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/commands/event-line.h"
#include "cli/desk-client.h"
#include "cli/print.h"
#include "shared/base/error.h"
#include "shared/base/i18n.h"
#include "shared/base/json.h"

/* The interval between attempts to reconnect. */
#define RETRY_MS 250

typedef struct Watch {
    gboolean as_json;
    gint64 since; /* 0: only new events */
    char **types;
    int fd;
    GString *heard; /* received from the desk, up to the next newline */
    int status;     /* the exit status when the desk refuses */
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
        hf_event_line_print(event);
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
    while ((end = memchr(watch->heard->str, '\n', watch->heard->len))) {
        gsize length = (gsize)(end - watch->heard->str);
        g_autoptr(json_t) message = json_loadb(watch->heard->str, length, 0, NULL);
        g_string_erase(watch->heard, 0, (gssize)length + 1);
        if (json_object_get(message, "method"))
            show_event(watch, json_object_get(message, "params"));
        else if (!take_subscribe_answer(watch, message))
            return FALSE;
    }
    fflush(stdout);
    return TRUE;
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
        g_string_append_len(watch->heard, piece, got);
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
        g_string_truncate(watch->heard, 0);
        subscribe_events(watch);
        go_on = follow_events(watch, &waiting);
        close(watch->fd);
        go_on = go_on && reconnect_watch(watch, &waiting);
    }
    if (ended && isatty(1))
        printf("\n");
    return watch->status;
}

int hf_command_watch(int argc, char **argv)
{
    Watch watch = {.heard = g_string_new(NULL)};
    GOptionEntry entries[] = {
        {"json", 0, 0, G_OPTION_ARG_NONE, &watch.as_json, "Print one JSON object per line", NULL},
        {"since", 0, 0, G_OPTION_ARG_INT64, &watch.since, "Start after this event", "ID"},
        {"type", 0, 0, G_OPTION_ARG_STRING_ARRAY, &watch.types, "Only these events", "TYPE"},
        {NULL},
    };
    g_autoptr(GOptionContext) context = g_option_context_new("");
    g_option_context_add_main_entries(context, entries, NULL);
    g_autoptr(GError) error = NULL;
    argc++;
    argv--;
    int status = HF_EXIT_USAGE;
    if (!g_option_context_parse(context, &argc, &argv, &error))
        fprintf(stderr, "handfast: %s\n", error->message);
    else if (argc > 1 || watch.since < 0)
        hf_command_print_usage("watch");
    else
        status = run_watch(&watch);
    g_strfreev(watch.types);
    g_string_free(watch.heard, TRUE);
    return status;
}
