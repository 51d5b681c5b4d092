/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the desk or starts one. Two processes may start one at the same time: the desk's lock lets
 * one live, and both connect to it. */
#include "cli/mcp/mcp-desk.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/socket.h>
#include <unistd.h>

#include "cli/desk-client.h"
#include "shared/base/error.h"
#include "shared/base/i18n.h"
#include "shared/base/paths.h"

#define START_LIMIT_MS 40000
/* The socket's file exists a moment before it accepts connections. */
#define LOOK_AGAIN_MS 50

/* In the child. */
static void detach_session(gpointer data)
{
    setsid();
}

static gboolean start_desk(const char *runtime, GError **error)
{
    g_autofree char *program = g_file_read_link("/proc/self/exe", NULL);
    g_autofree char *log = g_build_filename(runtime, "desk.log", NULL);
    int out = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
    int in = open("/dev/null", O_RDONLY | O_CLOEXEC);
    const char *arguments[] = {program, "serve", NULL};
    g_autoptr(GError) failed = NULL;
    gboolean started = program && out >= 0 &&
                       g_spawn_async_with_fds(NULL, (char **)arguments, NULL, G_SPAWN_DEFAULT,
                                              detach_session, NULL, NULL, in, out, out, &failed);
    if (out >= 0)
        close(out);
    if (in >= 0)
        close(in);
    if (!started)
        return hf_fail(error, HF_ERROR_DESKTOP_HOST_NOT_RUNNING, "cannot start a desk: %s",
                       failed ? failed->message : g_strerror(errno));
    fprintf(stderr, _("handfast mcp: started a desk; its log is %s\n"), log);
    return TRUE;
}

/* Waits until something changes in the directory, or it is time to look again anyway. */
static void wait_a_little(int watch)
{
    char events[4096];
    struct pollfd fd = {watch, POLLIN, 0};
    if (poll(&fd, 1, LOOK_AGAIN_MS) > 0)
        (void)!read(watch, events, sizeof events);
}

static int connect_or_start(GError **error)
{
    int fd = hf_cli_connect(0, NULL);
    if (fd >= 0)
        return fd;
    g_autofree char *runtime = hf_path_ensure_runtime(error);
    if (!runtime)
        return -1;
    int watch = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    inotify_add_watch(watch, runtime, IN_CREATE);
    gint64 until = g_get_monotonic_time() + (gint64)START_LIMIT_MS * 1000;
    gboolean started = start_desk(runtime, error);
    while (started && (fd = hf_cli_connect(0, NULL)) < 0 && g_get_monotonic_time() < until)
        wait_a_little(watch);
    close(watch);
    if (started && fd < 0)
        hf_fail(error, HF_ERROR_DESKTOP_HOST_NOT_RUNNING,
                "a desk was started, but cannot be reached: see %s/desk.log", runtime);
    return fd;
}

/* Byte by byte, because what follows the line is MCP and not ours to read. */
static GString *read_mcp_line(int fd)
{
    GString *line = g_string_new(NULL);
    char byte;
    ssize_t got;
    while ((got = recv(fd, &byte, 1, 0)) == 1 || (got < 0 && errno == EINTR)) {
        if (got == 1 && byte == '\n')
            return line;
        if (got == 1)
            g_string_append_c(line, byte);
    }
    return line;
}

static gboolean check_answer(const GString *line, GError **error)
{
    g_autoptr(json_t) reply = json_loadb(line->str, line->len, 0, NULL);
    const json_t *result = json_object_get(reply, "result");
    if (hf_json_bool(result, "ok", FALSE))
        return TRUE;
    const json_t *refusal = json_object_get(result, "error");
    if (!refusal)
        refusal = json_object_get(json_object_get(reply, "error"), "data");
    if (refusal)
        g_propagate_error(error, hf_error_new_from_json(refusal));
    else
        hf_fail(error, HF_ERROR_DESKTOP_HOST_NOT_RUNNING, "the desk did not answer");
    return FALSE;
}

int hf_mcp_desk_open(json_t *take_params, GError **error)
{
    g_autoptr(json_t) request = json_pack("{s:s, s:i, s:s, s:o}", "jsonrpc", "2.0", "id", 1,
                                          "method", "mcp.open", "params", take_params);
    g_autofree char *dump = hf_json_dump(request);
    g_autofree char *line = g_strconcat(dump, "\n", NULL);
    int fd = connect_or_start(error);
    if (fd < 0)
        return -1;
    (void)!send(fd, line, strlen(line), MSG_NOSIGNAL);
    g_autoptr(GString) answer = read_mcp_line(fd);
    if (check_answer(answer, error))
        return fd;
    close(fd);
    return -1;
}
