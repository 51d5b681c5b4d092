/* SPDX-License-Identifier: Apache-2.0 */
/* `handfast stop|pause|resume|abort`. Stopping must not depend on a healthy desk: when the bridge
 * is full, refuses us or does not answer at once, the desk gets a signal. */
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

#include "cli/cli.h"
#include "cli/command-arguments.h"
#include "cli/commands.h"
#include "cli/desk-client.h"
#include "cli/print.h"
#include "shared/base/error.h"
#include "shared/base/i18n.h"
#include "shared/base/json.h"
#include "shared/base/paths.h"

/* How long the bridge may take to confirm receipt, and then to finish. */
#define RECEIPT_MS 100
#define DONE_MS    5000

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

typedef enum StopOutcome { STOP_DONE, STOP_RECEIVED, STOP_UNREACHABLE } StopOutcome;

static StopOutcome stop_by_bridge(int fd, const HfCommandArguments *arguments)
{
    g_autoptr(json_t) request = json_pack("{s:s, s:i, s:s, s:o}", "jsonrpc", "2.0", "id", 1,
                                          "method", "stop", "params", new_stop_params(arguments));
    g_autofree char *dump = hf_json_dump(request);
    g_autofree char *line = g_strconcat(dump, "\n", NULL);
    g_autoptr(GString) received = g_string_new(NULL);
    if (send(fd, line, strlen(line), MSG_NOSIGNAL | MSG_DONTWAIT) != (ssize_t)strlen(line) ||
        !wait_for_mark(fd, received, "\"stopping\"", RECEIPT_MS))
        return STOP_UNREACHABLE;
    return wait_for_mark(fd, received, "\"stopped\":", DONE_MS) ? STOP_DONE : STOP_RECEIVED;
}

/* The desk of this runtime directory; 0: none runs, because its lock is free. */
static pid_t find_desk_pid(void)
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
    g_autoptr(GError) error = NULL;
    pid_t desk = find_desk_pid();
    if (desk <= 1)
        hf_fail(&error, HF_ERROR_DESKTOP_HOST_NOT_RUNNING, "%s",
                _("No desk is running, so there is nothing to stop."));
    else if (kill(desk, SIGUSR2) != 0)
        hf_fail(&error, HF_ERROR_DESKTOP_UNAVAILABLE,
                _("The desk (process %d) cannot be reached: %s"), (int)desk, g_strerror(errno));
    if (error) {
        hf_print_gerror(error);
        return desk <= 1 ? HF_EXIT_NO_DESK : HF_EXIT_FAILED;
    }
    g_autofree char *sentence = g_strdup_printf(
        _("The desk does not answer; a signal told it to stop (process %d)."), (int)desk);
    g_autoptr(json_t) result = json_pack("{s:b, s:s}", "stopped", 0, "told_by", "signal");
    hf_print_result(result, sentence);
    return HF_EXIT_OK;
}

static void print_stop(StopOutcome outcome)
{
    g_autoptr(json_t) result =
        json_pack("{s:b, s:s}", "stopped", outcome == STOP_DONE, "told_by", "bridge");
    hf_print_result(result, outcome == STOP_DONE
                                ? _("Everything is stopped. To continue: handfast resume")
                                : _("Stopping; the desk has not confirmed it yet."));
}

int hf_command_stop(int argc, char **argv)
{
    g_autoptr(HfCommandArguments) arguments =
        hf_command_arguments_parse_or_report("stop", argc, argv);
    if (!arguments)
        return HF_EXIT_USAGE;
    int fd = hf_cli_connect(RECEIPT_MS, NULL);
    StopOutcome outcome = fd < 0 ? STOP_UNREACHABLE : stop_by_bridge(fd, arguments);
    if (fd >= 0)
        close(fd);
    if (outcome == STOP_UNREACHABLE)
        return stop_by_signal();
    print_stop(outcome);
    return HF_EXIT_OK;
}

static int run_hold_command(const char *method, int argc, char **argv, const char *done)
{
    g_autoptr(HfCommandArguments) arguments =
        hf_command_arguments_parse_or_report(method, argc, argv);
    int status = HF_EXIT_USAGE;
    if (!arguments)
        return status;
    g_autoptr(json_t) result = hf_cli_simple_request(method, new_stop_params(arguments), &status);
    if (result)
        hf_print_result(result, done);
    return status;
}

int hf_command_pause(int argc, char **argv)
{
    return run_hold_command("pause", argc, argv, _("Paused. To continue: handfast resume"));
}

int hf_command_resume(int argc, char **argv)
{
    return run_hold_command("resume", argc, argv, _("Resumed."));
}

int hf_command_abort(int argc, char **argv)
{
    g_autoptr(HfCommandArguments) arguments =
        hf_command_arguments_parse_or_report("abort", argc, argv);
    int status = HF_EXIT_USAGE;
    if (!arguments)
        return status;
    const char *run = hf_command_arguments_value(arguments, "RUN");
    json_t *params = new_stop_params(arguments);
    json_object_set_new(params, "run_id", hf_json_text(run));
    g_autoptr(json_t) result = hf_cli_simple_request("abort", params, &status);
    g_autofree char *sentence = g_strdup_printf(_("Aborted: run %s takes no further step."), run);
    if (result)
        hf_print_result(result, sentence);
    return status;
}
