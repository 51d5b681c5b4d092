/* `handfast stop|pause|resume|abort`. Stopping must not depend on a desk in good health: when the
 * bridge does not answer at once, does not let us in or is full, the desk gets a signal. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/error.h"
#include "base/i18n.h"
#include "base/json.h"
#include "base/paths.h"
#include "cli/ask.h"
#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/connect.h"
#include "cli/print.h"

/* How long the bridge may take to say that it has heard, and then to finish. */
#define HEARD_MS 100
#define DONE_MS  5000

typedef struct HoldOptions {
    char *desktop, *run, *reason;
} HoldOptions;

static gboolean parse_options(const char *words, int *argc, char ***argv, HoldOptions *options,
                              gboolean scoped)
{
    GOptionEntry scope[] = {
        {"desktop", 0, 0, G_OPTION_ARG_STRING, &options->desktop, "Only this desktop", "NAME"},
        {"run", 0, 0, G_OPTION_ARG_STRING, &options->run, "Only this run", "ID"},
        {NULL},
    };
    GOptionEntry reason[] = {
        {"reason", 'r', 0, G_OPTION_ARG_STRING, &options->reason, "Why", "TEXT"},
        {NULL},
    };
    g_autoptr(GOptionContext) context = g_option_context_new(words);
    if (scoped)
        g_option_context_add_main_entries(context, scope, NULL);
    g_option_context_add_main_entries(context, reason, NULL);
    g_autoptr(GError) error = NULL;
    if (g_option_context_parse(context, argc, argv, &error))
        return TRUE;
    fprintf(stderr, "handfast: %s\n", error->message);
    return FALSE;
}

static void clear_options(HoldOptions *options)
{
    g_free(options->desktop);
    g_free(options->run);
    g_free(options->reason);
}

static json_t *params_of(const HoldOptions *options)
{
    json_t *params = json_object();
    if (options->desktop)
        json_object_set_new(params, "desktop", hf_json_text(options->desktop));
    if (options->run)
        json_object_set_new(params, "run_id", hf_json_text(options->run));
    if (options->reason)
        json_object_set_new(params, "reason", hf_json_text(options->reason));
    return params;
}

/* Waits for a line that contains `mark`; FALSE when it does not come in time. */
static gboolean wait_for(int fd, GString *heard, const char *mark, int limit_ms)
{
    gint64 until = g_get_monotonic_time() + limit_ms * 1000;
    while (!strstr(heard->str, mark)) {
        struct pollfd poll_fd = {fd, POLLIN, 0};
        int left = (int)((until - g_get_monotonic_time()) / 1000);
        char buffer[4096];
        if (left <= 0 || poll(&poll_fd, 1, left) <= 0)
            return FALSE;
        ssize_t got = recv(fd, buffer, sizeof buffer - 1, MSG_DONTWAIT);
        if (got <= 0 && errno != EINTR && errno != EAGAIN)
            return FALSE;
        if (got > 0)
            g_string_append_len(heard, buffer, got);
    }
    return TRUE;
}

typedef enum StopOutcome { STOP_DONE, STOP_HEARD, STOP_UNHEARD } StopOutcome;

static StopOutcome stop_by_bridge(int fd, const HoldOptions *options)
{
    g_autoptr(json_t) request = json_pack("{s:s, s:i, s:s, s:o}", "jsonrpc", "2.0", "id", 1,
                                          "method", "stop", "params", params_of(options));
    g_autofree char *dump = hf_json_dump(request);
    g_autofree char *line = g_strconcat(dump, "\n", NULL);
    g_autoptr(GString) heard = g_string_new(NULL);
    if (send(fd, line, strlen(line), MSG_NOSIGNAL | MSG_DONTWAIT) != (ssize_t)strlen(line) ||
        !wait_for(fd, heard, "\"stopping\"", HEARD_MS))
        return STOP_UNHEARD;
    return wait_for(fd, heard, "\"stopped\":", DONE_MS) ? STOP_DONE : STOP_HEARD;
}

/* The desk of this runtime directory; 0 when none is running: its lock is free then. */
static pid_t find_desk(void)
{
    g_autofree char *runtime = hf_path_dup_runtime();
    g_autofree char *path = g_build_filename(runtime, "desk.lock", NULL);
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0)
        return 0;
    char text[32] = "";
    gboolean running = flock(fd, LOCK_SH | LOCK_NB) != 0;
    ssize_t length = running ? read(fd, text, sizeof text - 1) : 0;
    close(fd);
    return length > 0 ? (pid_t)strtol(text, NULL, 10) : 0;
}

static int stop_by_signal(void)
{
    pid_t desk = find_desk();
    if (desk <= 1) {
        fprintf(stderr, "%s\n", _("No desk is running: there is nothing to stop."));
        return HF_EXIT_NO_DESK;
    }
    if (kill(desk, SIGUSR2) != 0) {
        fprintf(stderr, _("The desk (process %d) cannot be reached: %s\n"), (int)desk,
                g_strerror(errno));
        return HF_EXIT_FAILED;
    }
    printf(_("The desk does not answer; it was told to stop by a signal (process %d).\n"),
           (int)desk);
    return HF_EXIT_OK;
}

int hf_command_stop(int argc, char **argv)
{
    HoldOptions options = {0};
    argc++;
    argv--;
    int status = HF_EXIT_USAGE;
    if (parse_options("", &argc, &argv, &options, FALSE) && argc == 1) {
        int fd = hf_cli_connect(HEARD_MS, NULL);
        StopOutcome outcome = fd < 0 ? STOP_UNHEARD : stop_by_bridge(fd, &options);
        status = outcome == STOP_UNHEARD ? stop_by_signal() : HF_EXIT_OK;
        if (outcome == STOP_HEARD)
            printf("%s\n", _("Stopping; the desk takes its time to confirm it."));
        if (outcome == STOP_DONE)
            printf("%s\n", _("Everything is stopped. To go on: handfast resume"));
        if (fd >= 0)
            close(fd);
    }
    clear_options(&options);
    return status;
}

static int hold(const char *method, int argc, char **argv, const char *done)
{
    HoldOptions options = {0};
    argc++;
    argv--;
    int status = HF_EXIT_USAGE;
    if (parse_options("", &argc, &argv, &options, TRUE) && argc == 1) {
        g_autoptr(json_t) result = hf_cli_ask(method, params_of(&options), &status);
        if (result)
            printf("%s\n", done);
    }
    clear_options(&options);
    return status;
}

int hf_command_pause(int argc, char **argv)
{
    return hold("pause", argc, argv, _("Paused. To go on: handfast resume"));
}

int hf_command_resume(int argc, char **argv)
{
    return hold("resume", argc, argv, _("Going on."));
}

int hf_command_abort(int argc, char **argv)
{
    HoldOptions options = {0};
    argc++;
    argv--;
    int status = HF_EXIT_USAGE;
    if (parse_options("RUN", &argc, &argv, &options, FALSE) && argc == 2) {
        options.run = g_strdup(argv[1]);
        g_autoptr(json_t) result = hf_cli_ask("abort", params_of(&options), &status);
        if (result)
            printf(_("Aborted: no later step of run %s is done.\n"), options.run);
    } else {
        status = hf_command_refuse("abort");
    }
    clear_options(&options);
    return status;
}
