/* SPDX-License-Identifier: Apache-2.0 */
/* One connection, one request, one answer, and the notifications before it. A call may take as long
 * as it likes; but a desk that gives no sign of life for a few seconds is given up. The desk looks
 * at us when we connect. From its first answer on, nobody can trace us, because we may speak for
 * the owner. */
#include "cli/desk-client.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/print.h"
#include "shared/base/error.h"
#include "shared/base/i18n.h"
#include "shared/base/paths.h"
#include "shared/process/untraceable.h"

/* How long the desk may take to read a request. */
#define EXPIRES_MS 30000
/* How long the desk may be silent before it is asked for a sign of life, and how long it may take
 * to give one: its main thread does, however busy its workers are. */
#define SILENT_MS 2000
#define SIGN_MS   4000
/* The id of the question for a sign of life. */
#define SIGN_ID "sign-of-life"

typedef struct DeskConnection {
    int fd;
    GString *buffer;    /* received, and not taken yet */
    gboolean asked;     /* for a sign of life, which has not come */
    const char *method; /* of the request */
} DeskConnection;

/* A call that the desk has received may still be done when the desk goes on. */
static void fail_silent_desk(int fd, const char *method, GError **error)
{
    struct ucred peer = {0};
    socklen_t size = sizeof peer;
    gboolean call = g_strcmp0(method, "call") == 0;
    if (fd < 0 || getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0)
        peer.pid = 0;
    g_autofree char *which =
        peer.pid > 0 ? g_strdup_printf(_(" (process %d)"), (int)peer.pid) : g_strdup("");
    hf_fail(error, call ? HF_ERROR_OUTCOME_UNKNOWN : HF_ERROR_DESKTOP_TIMEOUT,
            call ? _("the desk%s does not answer; when it goes on, it may still do the call")
                 : _("the desk%s does not answer"),
            which);
    hf_error_suggest(error, "%s",
                     _("stop everything: handfast stop; look for the reason: handfast doctor"));
}

static int connect_bridge(const char *path, int limit_ms, GError **error)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    hf_untraceable_set(FALSE);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    /* Also for connecting. */
    struct timeval limit = {.tv_sec = limit_ms / 1000, .tv_usec = limit_ms % 1000 * 1000};
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
    if (fd >= 0 &&
        g_strlcpy(address.sun_path, path, sizeof address.sun_path) < sizeof address.sun_path &&
        connect(fd, (struct sockaddr *)&address, sizeof address) == 0)
        return fd;
    if (errno == EAGAIN)
        fail_silent_desk(-1, NULL, error);
    else
        hf_fail(error, HF_ERROR_DESKTOP_HOST_NOT_RUNNING,
                "no desk is running (nothing listens at %s)", path);
    if (fd >= 0)
        close(fd);
    return -1;
}

int hf_cli_connect(int limit_ms, GError **error)
{
    g_autofree char *path = hf_path_dup_bridge();
    return connect_bridge(path, limit_ms, error);
}

static gboolean send_request_line(int fd, const json_t *request, GError **error)
{
    g_autofree char *dump = hf_json_dump(request);
    g_autofree char *line = g_strconcat(dump, "\n", NULL);
    for (gsize done = 0, length = strlen(line); done < length;) {
        ssize_t sent = send(fd, line + done, length - done, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent < 0)
            return hf_fail(error, HF_ERROR_OUTCOME_UNKNOWN, "the desk closed the connection: %s",
                           g_strerror(errno));
        done += (gsize)sent;
    }
    return TRUE;
}

static gboolean wait_readable(int fd, int limit_ms)
{
    struct pollfd polled = {fd, POLLIN, 0};
    int ready;
    do
        ready = poll(&polled, 1, limit_ms);
    while (ready < 0 && errno == EINTR);
    return ready != 0;
}

/* The main thread of the desk answers a cancellation at once. Nothing has this id. */
static void ask_for_sign(DeskConnection *desk)
{
    g_autoptr(json_t) request = json_pack("{s:s, s:s, s:s, s:{s:s}}", "jsonrpc", "2.0", "id",
                                          SIGN_ID, "method", "cancel", "params", "id", SIGN_ID);
    send_request_line(desk->fd, request, NULL);
    desk->asked = TRUE;
}

/* Waits until there is something to read; FALSE when the desk gives no sign of life. */
static gboolean wait_for_desk(DeskConnection *desk, GError **error)
{
    if (!desk->asked && wait_readable(desk->fd, SILENT_MS))
        return TRUE;
    if (!desk->asked)
        ask_for_sign(desk);
    if (wait_readable(desk->fd, SIGN_MS))
        return TRUE;
    fail_silent_desk(desk->fd, desk->method, error);
    return FALSE;
}

gboolean hf_cli_wait_for_desk(int fd, GError **error)
{
    if (wait_readable(fd, SILENT_MS + SIGN_MS))
        return TRUE;
    fail_silent_desk(fd, NULL, error);
    return FALSE;
}

/* The next line; what follows it stays in the buffer. */
static GString *read_reply_line(DeskConnection *desk, GError **error)
{
    static char piece[256 * 1024];
    GString *buffer = desk->buffer;
    const char *end;
    gsize searched = 0;
    while (!(end = memchr(buffer->str + searched, '\n', buffer->len - searched))) {
        searched = buffer->len;
        if (!wait_for_desk(desk, error))
            return NULL;
        ssize_t got = recv(desk->fd, piece, sizeof piece, 0);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0) {
            hf_fail(error, HF_ERROR_OUTCOME_UNKNOWN, "the desk ended before it answered");
            return NULL;
        }
        g_string_append_len(buffer, piece, got);
    }
    gsize length = (gsize)(end - buffer->str);
    GString *line = g_string_new_len(buffer->str, (gssize)length);
    g_string_erase(buffer, 0, (gssize)length + 1);
    return line;
}

/* Reads the answer; notifications before it go to `waiting`. Not while a sign of life is on its
 * way: `waiting` would take it for news. */
static json_t *read_desk_reply(DeskConnection *desk, HfCliWaiting waiting, GError **error)
{
    g_autoptr(json_t) approval = NULL;
    for (;;) {
        g_autoptr(GString) line = read_reply_line(desk, error);
        if (!line)
            return NULL;
        hf_untraceable_set(TRUE);
        g_autoptr(json_t) reply = json_loadb(line->str, line->len, 0, NULL);
        gboolean notification = json_object_get(reply, "method") != NULL;
        if (strcmp(hf_json_string(reply, "id", ""), SIGN_ID) == 0)
            desk->asked = FALSE;
        else if (!notification)
            return reply ? g_steal_pointer(&reply) : json_object();
        json_t *asked = json_object_get(json_object_get(reply, "params"), "approval");
        if (asked) {
            json_decref(approval);
            approval = json_incref(asked);
        }
        if (waiting && approval && !desk->asked && desk->buffer->len == 0)
            waiting(approval, desk->fd);
        if (!desk->asked)
            g_clear_pointer(&approval, json_decref);
    }
}

static json_t *read_answer(DeskConnection *desk, HfCliWaiting waiting, GError **error)
{
    g_autoptr(json_t) reply = read_desk_reply(desk, waiting, error);
    if (!reply)
        return NULL;
    json_t *result = json_object_get(reply, "result");
    if (json_is_object(result))
        return json_incref(result);
    const json_t *refusal = json_object_get(json_object_get(reply, "error"), "data");
    if (refusal) {
        g_propagate_error(error, hf_error_new_from_json(refusal));
        return NULL;
    }
    hf_fail(error, HF_ERROR_INVALID_PARAMS, "the desk refused the request: %s",
            hf_json_string(json_object_get(reply, "error"), "message", "malformed answer"));
    return NULL;
}

static json_t *request_at(const char *path, const char *method, json_t *take_params,
                          HfCliWaiting waiting, GError **error)
{
    g_autofree char *nonce = g_uuid_string_random();
    json_int_t expires = g_get_real_time() / 1000 + EXPIRES_MS;
    g_autoptr(json_t) request =
        json_pack("{s:s, s:i, s:s, s:o, s:s, s:I}", "jsonrpc", "2.0", "id", 1, "method", method,
                  "params", take_params, "nonce", nonce, "expires", expires);
    int fd = connect_bridge(path, SIGN_MS, error);
    if (fd < 0)
        return NULL;
    /* A desk that refuses us says why before it reads anything, so a failed write does not matter.
     */
    send_request_line(fd, request, NULL);
    g_autoptr(GString) buffer = g_string_new(NULL);
    DeskConnection desk = {.fd = fd, .buffer = buffer, .method = method};
    json_t *answer = read_answer(&desk, waiting, error);
    close(fd);
    return answer;
}

json_t *hf_cli_request_waiting(const char *method, json_t *take_params, HfCliWaiting waiting,
                               GError **error)
{
    g_autofree char *path = hf_path_dup_bridge();
    return request_at(path, method, take_params, waiting, error);
}

json_t *hf_cli_request(const char *method, json_t *take_params, GError **error)
{
    return hf_cli_request_waiting(method, take_params, NULL, error);
}

json_t *hf_cli_request_at(const char *path, const char *method, json_t *take_params, GError **error)
{
    return request_at(path, method, take_params, NULL, error);
}

int hf_cli_report_failure(const GError *error)
{
    hf_print_gerror(error);
    if (g_error_matches(error, HF_ERROR, HF_ERROR_DESKTOP_HOST_NOT_RUNNING))
        return HF_EXIT_NO_DESK;
    return g_error_matches(error, HF_ERROR, HF_ERROR_INVALID_PARAMS) ? HF_EXIT_USAGE
                                                                     : HF_EXIT_FAILED;
}

json_t *hf_cli_simple_request(const char *method, json_t *take_params, int *ret_status)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(json_t) answer = hf_cli_request(method, take_params, &error);
    *ret_status = HF_EXIT_OK;
    if (answer && hf_json_bool(answer, "ok", FALSE))
        return json_incref(json_object_get(answer, "result"));
    *ret_status = HF_EXIT_FAILED;
    if (answer) {
        hf_print_error(json_object_get(answer, "error"));
    } else {
        hf_print_gerror(error);
        if (g_error_matches(error, HF_ERROR, HF_ERROR_DESKTOP_HOST_NOT_RUNNING))
            *ret_status = HF_EXIT_NO_DESK;
    }
    return NULL;
}

int hf_cli_request_and_print(const char *method, json_t *take_params, char *take_sentence)
{
    int status;
    g_autofree char *sentence = take_sentence;
    g_autoptr(json_t) result = hf_cli_simple_request(method, take_params, &status);
    if (result)
        hf_print_result(result, sentence);
    return status;
}
