/* SPDX-License-Identifier: Apache-2.0 */
/* Our side of the benchmark: a client that keeps one connection to the bridge open and times
 * calls. Each line on standard input is one JSON-RPC request and is sent as it is; the clock
 * stops when the whole answer has arrived. What is printed (one JSON line for each request) is
 * prepared after the clock has stopped. A line ">FILE" names the file that the next picture is
 * written to. */
#include <errno.h>
#include <glib.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "clock.h"

static void fatal(const char *what)
{
    fprintf(stderr, "client: %s: %s\n", what, g_strerror(errno));
    exit(1);
}

static int connect_to(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (g_strlcpy(address.sun_path, path, sizeof address.sun_path) >= sizeof address.sun_path) {
        errno = ENAMETOOLONG;
        fatal(path);
    }
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof address) < 0)
        fatal(path);
    return fd;
}

static void send_all(int fd, const char *bytes, size_t length)
{
    while (length > 0) {
        ssize_t sent = send(fd, bytes, length, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent < 0)
            fatal("send");
        bytes += sent;
        length -= (size_t)sent;
    }
}

/* Reads up to the newline that ends an answer. One answer at a time is under way, so nothing
 * may follow it. The string keeps its memory from call to call. */
static void receive_line(int fd, GString *line)
{
    static char buffer[1 << 20];
    g_string_truncate(line, 0);
    for (;;) {
        ssize_t got = recv(fd, buffer, sizeof buffer, 0);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            fatal("the bridge hung up");
        g_string_append_len(line, buffer, got);
        if (buffer[got - 1] == '\n')
            return;
    }
}

/* Takes the picture out of the answer, so that what is printed stays small. Returns its size. */
static size_t take_picture(json_t *answer, const char *save_as)
{
    json_t *result = json_object_get(json_object_get(answer, "result"), "result");
    const char *text = json_string_value(json_object_get(result, "image"));
    if (text == NULL)
        return 0;
    gsize size = 0;
    g_autofree guchar *bytes = g_base64_decode(text, &size);
    if (save_as != NULL && !g_file_set_contents(save_as, (const char *)bytes, (gssize)size, NULL))
        fatal(save_as);
    json_object_del(result, "image");
    return size;
}

static void report(const GString *line, int64_t start, int64_t end, const char *save_as)
{
    json_error_t problem;
    json_t *answer = json_loadb(line->str, line->len, 0, &problem);
    if (answer == NULL) {
        fprintf(stderr, "client: not JSON: %s\n", problem.text);
        exit(1);
    }
    size_t image_bytes = take_picture(answer, save_as);
    json_t *out = json_pack("{s:I, s:I, s:I, s:I, s:o}", "start", (json_int_t)start, "end",
                            (json_int_t)end, "bytes", (json_int_t)line->len, "image_bytes",
                            (json_int_t)image_bytes, "answer", answer);
    json_dumpf(out, stdout, JSON_COMPACT);
    putchar('\n');
    fflush(stdout);
    json_decref(out);
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: client SOCKET < requests\n");
        return 2;
    }
    int fd = connect_to(argv[1]);
    g_autoptr(GString) answer = g_string_sized_new(4 << 20);
    g_autofree char *save_as = NULL;
    char *request = NULL;
    size_t room = 0;
    ssize_t length;
    while ((length = getline(&request, &room, stdin)) > 0) {
        if (request[0] == '>') {
            g_free(save_as);
            save_as = g_strndup(request + 1, (gsize)length - 2);
            continue;
        }
        int64_t start = bench_now_ns();
        send_all(fd, request, (size_t)length);
        receive_line(fd, answer);
        int64_t end = bench_now_ns();
        report(answer, start, end, save_as);
        g_clear_pointer(&save_as, g_free);
    }
    free(request);
    close(fd);
    return 0;
}
