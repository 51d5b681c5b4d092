/* SPDX-License-Identifier: Apache-2.0 */
/* One connection, one request, one answer, and the notifications before it. */
#include "cli/desk-client.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/print.h"
#include "shared/base/error.h"
#include "shared/base/paths.h"

/* How long the desk may take to read a request. */
#define EXPIRES_MS 30000

static int connect_bridge(const char *path, int limit_ms, GError **error)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct timeval limit = {.tv_usec = limit_ms * 1000}; /* also for connecting */
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
    if (fd >= 0 &&
        g_strlcpy(address.sun_path, path, sizeof address.sun_path) < sizeof address.sun_path &&
        connect(fd, (struct sockaddr *)&address, sizeof address) == 0)
        return fd;
    hf_fail(error, HF_ERROR_DESKTOP_HOST_NOT_RUNNING, "no desk is running (nothing listens at %s)",
            path);
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

/* The next line; what follows it stays in `buffer`. */
static GString *read_reply_line(int fd, GString *buffer, GError **error)
{
    static char piece[256 * 1024];
    const char *end;
    gsize searched = 0;
    while (!(end = memchr(buffer->str + searched, '\n', buffer->len - searched))) {
        searched = buffer->len;
        ssize_t got = recv(fd, piece, sizeof piece, 0);
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

/* Reads the answer; notifications before it go to `waiting`. */
static json_t *read_desk_reply(int fd, HfCliWaiting waiting, GError **error)
{
    g_autoptr(GString) buffer = g_string_new(NULL);
    for (;;) {
        g_autoptr(GString) line = read_reply_line(fd, buffer, error);
        if (!line)
            return NULL;
        g_autoptr(json_t) reply = json_loadb(line->str, line->len, 0, NULL);
        if (!json_object_get(reply, "method"))
            return reply ? g_steal_pointer(&reply) : json_object();
        const json_t *params = json_object_get(reply, "params");
        const json_t *approval = json_object_get(params, "approval");
        if (waiting && approval && buffer->len == 0)
            waiting(approval, fd);
    }
}

static json_t *read_answer(int fd, HfCliWaiting waiting, GError **error)
{
    g_autoptr(json_t) reply = read_desk_reply(fd, waiting, error);
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
    int fd = connect_bridge(path, 0, error);
    if (fd < 0)
        return NULL;
    /* A desk that refuses us says why before it reads anything, so a failed write does not matter.
     */
    send_request_line(fd, request, NULL);
    json_t *answer = read_answer(fd, waiting, error);
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
