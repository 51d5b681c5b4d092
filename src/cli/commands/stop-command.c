/* SPDX-License-Identifier: Apache-2.0 */
/* `handfast stop|pause|resume|abort`. Stopping must not depend on a healthy desk: when the bridge
 * is full, refuses us or does not answer at once, the desk gets a signal. When the desk does not
 * confirm that within a second, everything below it is killed. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/desk-client.h"
#include "cli/print.h"
#include "shared/base/error.h"
#include "shared/base/i18n.h"
#include "shared/base/json.h"
#include "shared/base/paths.h"
#include "shared/process/processes.h"
#include "shared/wire/desk-lock.h"

/* How long the bridge may take to confirm receipt, and then to finish. */
#define RECEIPT_MS 100
#define DONE_MS    5000
/* How long the desk may take to heed a signal. */
#define SIGNAL_MS 1000
/* How often the desk's lock file is read, and how long killed processes may take to end. */
#define LOOK_MS    10
#define KILL_MS    2000
#define KILL_TIMES 5

static json_t *new_stop_params(const HfCommandArguments *arguments)
{
    json_t *params = json_object();
    hf_command_arguments_add_text(arguments, "desktop", params, "desktop");
    hf_command_arguments_add_text(arguments, "run", params, "run_id");
    hf_command_arguments_add_text(arguments, "reason", params, "reason");
    return params;
}

/* Waits for a line that contains `mark`; FALSE when it does not come in time. */
static gboolean wait_for_mark(int fd, GString *received, const char *mark, int limit_ms)
{
    gint64 until = g_get_monotonic_time() + limit_ms * 1000;
    while (!strstr(received->str, mark)) {
        struct pollfd poll_fd = {fd, POLLIN, 0};
        int left = (int)((until - g_get_monotonic_time()) / 1000);
        char buffer[4096];
        if (left <= 0 || poll(&poll_fd, 1, left) <= 0)
            return FALSE;
        ssize_t got = recv(fd, buffer, sizeof buffer - 1, MSG_DONTWAIT);
        if (got <= 0 && errno != EINTR && errno != EAGAIN)
            return FALSE;
        if (got > 0)
            g_string_append_len(received, buffer, got);
    }
    return TRUE;
}

typedef enum StopOutcome { STOP_DURABLE, STOP_VOLATILE, STOP_UNCONFIRMED } StopOutcome;

/* What agents have started on the user's own desktop and still runs: an array, or NULL. */
static json_t *find_unstopped(const char *received)
{
    g_auto(GStrv) lines = g_strsplit(received, "\n", -1);
    for (char **line = lines; *line; line++) {
        g_autoptr(json_t) reply = json_loads(*line, 0, NULL);
        const json_t *answer = json_object_get(reply, "result");
        json_t *unstopped = json_object_get(json_object_get(answer, "result"), "unstopped");
        if (unstopped)
            return json_incref(unstopped);
    }
    return NULL;
}

static StopOutcome stop_by_bridge(const HfCommandArguments *arguments, json_t **ret_unstopped)
{
    int fd = hf_cli_connect(RECEIPT_MS, NULL);
    g_autoptr(json_t) request = json_pack("{s:s, s:i, s:s, s:o}", "jsonrpc", "2.0", "id", 1,
                                          "method", "stop", "params", new_stop_params(arguments));
    g_autofree char *dump = hf_json_dump(request);
    g_autofree char *line = g_strconcat(dump, "\n", NULL);
    g_autoptr(GString) received = g_string_new(NULL);
    gboolean stopped =
        fd >= 0 &&
        send(fd, line, strlen(line), MSG_NOSIGNAL | MSG_DONTWAIT) == (ssize_t)strlen(line) &&
        wait_for_mark(fd, received, "\"stopping\"", RECEIPT_MS) &&
        wait_for_mark(fd, received, "\"stopped\":true", DONE_MS) &&
        wait_for_mark(fd, received, "}}}\n", RECEIPT_MS); /* the end of that line */
    *ret_unstopped = find_unstopped(received->str);
    if (fd >= 0)
        close(fd);
    return !stopped                                     ? STOP_UNCONFIRMED
           : strstr(received->str, "\"durable\":false") ? STOP_VOLATILE
                                                        : STOP_DURABLE;
}

typedef struct DeskLock {
    int pid; /* of the desk; 0: none runs, because the lock is free */
    guint stops, durable_stops;
} DeskLock;

static DeskLock read_desk_lock(void)
{
    g_autofree char *runtime = hf_path_dup_runtime();
    g_autofree char *path = g_build_filename(runtime, HF_DESK_LOCK_NAME, NULL);
    DeskLock lock = {0};
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0)
        return lock;
    char text[64] = "";
    gboolean running = flock(fd, LOCK_SH | LOCK_NB) != 0;
    ssize_t length = running ? pread(fd, text, sizeof text - 1, 0) : 0;
    close(fd);
    if (length <= 0 ||
        sscanf(text, HF_DESK_LOCK_FORMAT, &lock.pid, &lock.stops, &lock.durable_stops) != 3)
        return (DeskLock){0};
    return lock;
}

/* A desk that was stopped by SIGSTOP gets the signal when it is continued. */
static StopOutcome stop_by_signal(const DeskLock *before)
{
    DeskLock now = *before;
    if (kill(before->pid, SIGUSR2) != 0)
        return STOP_UNCONFIRMED;
    kill(before->pid, SIGCONT);
    for (int waited = 0; waited < DONE_MS; waited += LOOK_MS) {
        if (now.pid != before->pid || (now.stops == before->stops && waited >= SIGNAL_MS))
            return STOP_UNCONFIRMED;
        if (now.durable_stops != before->durable_stops)
            return STOP_DURABLE;
        poll(NULL, 0, LOOK_MS);
        now = read_desk_lock();
    }
    return STOP_VOLATILE;
}

/* Ends the stages, the hands and all that they have started. Returns how many processes that
 * were. Each round finds what was started during the last one. */
static guint kill_below(int desk)
{
    guint killed = 0;
    for (int round = 0; round < KILL_TIMES; round++) {
        g_autoptr(GArray) family = hf_processes_list_family(desk);
        if (family->len == 0)
            break;
        killed += family->len;
        hf_processes_end(family, SIGKILL, KILL_MS);
    }
    return killed;
}

static int report_stop(StopOutcome outcome, gboolean by_signal)
{
    g_autoptr(json_t) result =
        json_pack("{s:b, s:b, s:s}", "stopped", TRUE, "durable", outcome == STOP_DURABLE, "told_by",
                  by_signal ? "signal" : "bridge");
    const char *done =
        outcome == STOP_VOLATILE
            ? _("Everything is stopped, but the disk does not take it: the stop is lost when the "
                "desk ends. Make room, then stop again. To continue: handfast resume")
        : by_signal ? _("The desk did not answer, so it got a signal. Everything is stopped. To "
                        "continue: handfast resume")
                    : _("Everything is stopped. To continue: handfast resume");
    hf_print_result(result, done);
    return HF_EXIT_OK;
}

static int fail_with_unstopped(const json_t *unstopped)
{
    g_autoptr(GError) error = NULL;
    const json_t *first = json_array_get(unstopped, 0);
    hf_fail(&error, HF_ERROR_DESKTOP_UNAVAILABLE,
            _("Every hand is stopped, but programs still run that were started on desktop '%s' "
              "(%d processes): %s."),
            hf_json_string(first, "desktop", "?"), (int)hf_json_int(first, "running", 0),
            hf_json_string(first, "reason", "?"));
    hf_error_suggest(&error, "%s", _("try again: handfast stop"));
    hf_error_take_details(&error, json_pack("{s:O}", "unstopped", unstopped));
    hf_print_gerror(error);
    return HF_EXIT_FAILED;
}

static int fail_without_desk(void)
{
    g_autoptr(GError) error = NULL;
    hf_fail(&error, HF_ERROR_DESKTOP_HOST_NOT_RUNNING, "%s",
            _("No desk is running, so there is nothing to stop."));
    hf_print_gerror(error);
    return HF_EXIT_NO_DESK;
}

static int stop_by_force(int desk)
{
    guint killed = kill_below(desk);
    g_autoptr(GError) error = NULL;
    hf_fail(&error, HF_ERROR_DESKTOP_UNAVAILABLE,
            _("The desk (process %d) did not confirm the stop within a second. Its desktops, hands "
              "and everything started there were killed (%u processes)."),
            desk, killed);
    hf_error_suggest(&error,
                     _("see 'handfast status'; if the desk still does not answer, end "
                       "process %d and start it again: handfast serve"),
                     desk);
    hf_print_gerror(error);
    return HF_EXIT_FAILED;
}

int hf_command_stop(const HfCommandArguments *arguments)
{
    g_autoptr(json_t) unstopped = NULL;
    StopOutcome outcome = stop_by_bridge(arguments, &unstopped);
    if (json_array_size(unstopped) > 0)
        return fail_with_unstopped(unstopped);
    if (outcome != STOP_UNCONFIRMED)
        return report_stop(outcome, FALSE);
    DeskLock desk = read_desk_lock();
    if (desk.pid <= 1)
        return fail_without_desk();
    outcome = stop_by_signal(&desk);
    return outcome == STOP_UNCONFIRMED ? stop_by_force(desk.pid) : report_stop(outcome, TRUE);
}

int hf_command_pause(const HfCommandArguments *arguments)
{
    int status;
    g_autoptr(json_t) result = hf_cli_simple_request("pause", new_stop_params(arguments), &status);
    if (result)
        hf_print_result(result,
                        hf_json_bool(result, "durable", TRUE)
                            ? _("Paused. To continue: handfast resume")
                            : _("Paused, but the disk does not take it: the pause is lost when the "
                                "desk ends. Make room, then pause again. To continue: handfast "
                                "resume"));
    return status;
}

int hf_command_resume(const HfCommandArguments *arguments)
{
    return hf_cli_request_and_print("resume", new_stop_params(arguments), g_strdup(_("Resumed.")));
}

int hf_command_abort(const HfCommandArguments *arguments)
{
    int status;
    const char *run = hf_command_arguments_value(arguments, "RUN");
    json_t *params = new_stop_params(arguments);
    json_object_set_new(params, "run_id", hf_json_text(run));
    g_autoptr(json_t) result = hf_cli_simple_request("abort", params, &status);
    g_autofree char *sentence = g_strdup_printf(
        hf_json_bool(result, "durable", TRUE)
            ? _("Aborted: run %s takes no further step.")
            : _("Aborted: run %s takes no further step. But the disk does not take it: the abort "
                "is lost when the desk ends. Make room, then abort it again."),
        run);
    if (result)
        hf_print_result(result, sentence);
    return status;
}
