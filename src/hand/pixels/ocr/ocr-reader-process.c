/* SPDX-License-Identifier: Apache-2.0 */
/* Starting a reader, asking it, and ending it. It is nobody's child, so that it need not be waited
 * for; its process is named by a descriptor, so that no other can be hit. */
#include "hand/pixels/ocr/ocr-reader-process.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include "hand/apps/process-info.h"
#include "hand/pixels/ocr/ocr-engine.h"
#include "hand/pixels/pixels-limits.h"
#include "shared/base/error.h"
#include "shared/wire/frame.h"
#include "shared/wire/stage-protocol.h"
#include "shared/wire/wire-limits.h"

struct HfOcrReaderProcess {
    int fd;
    int process; /* stands for the process; -1 when it has ended already */
};

/* Neither side waits for the other for ever. */
static void set_time_limits(int fd)
{
    const struct timeval limit = {HF_LIMIT_CHANNEL_SEND_MS / 1000, 0};
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
}

static gboolean spawn_reader(int end, GPid *ret_pid, GError **error)
{
    const char *const arguments[] = {"/proc/self/exe", "reader", NULL};
    const int target = HF_INHERITED_DESCRIPTOR;
    g_autoptr(GError) failed = NULL;
    /* The engine's own threads were four times slower than one on a busy machine. */
    g_auto(GStrv) environment = g_environ_setenv(g_get_environ(), "OMP_THREAD_LIMIT", "1", TRUE);
    if (g_spawn_async_with_pipes_and_fds("/", arguments, (const char *const *)environment,
                                         G_SPAWN_STDOUT_TO_DEV_NULL | G_SPAWN_STDERR_TO_DEV_NULL,
                                         NULL, NULL, -1, -1, -1, &end, &target, 1, ret_pid, NULL,
                                         NULL, NULL, &failed))
        return TRUE;
    return hf_fail(error, HF_ERROR_DESKTOP_UNAVAILABLE, "cannot start a reader: %s",
                   failed->message);
}

HfOcrReaderProcess *hf_ocr_reader_process_start(GError **error)
{
    int ends[2];
    GPid pid = 0;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
        hf_fail(error, HF_ERROR_LIMIT_EXCEEDED, "no socket for a reader: %s", g_strerror(errno));
        return NULL;
    }
    gboolean started = spawn_reader(ends[1], &pid, error);
    close(ends[1]);
    if (!started) {
        close(ends[0]);
        return NULL;
    }
    set_time_limits(ends[0]);
    HfOcrReaderProcess *reader = g_new(HfOcrReaderProcess, 1);
    *reader = (HfOcrReaderProcess){ends[0], hf_process_open(pid)};
    return reader;
}

void hf_ocr_reader_process_end(HfOcrReaderProcess *reader)
{
    if (!reader)
        return;
    close(reader->fd);
    if (reader->process >= 0) {
        hf_process_signal(reader->process, SIGKILL);
        close(reader->process);
    }
    g_free(reader);
}

gboolean hf_ocr_reader_process_is_gone(const HfOcrReaderProcess *reader)
{
    struct pollfd end = {reader->fd, POLLIN, 0};
    return poll(&end, 1, 0) != 0;
}

static gboolean fail_reader_gone(GError **error)
{
    return hf_fail(error, HF_ERROR_DESKTOP_UNAVAILABLE, "the reader has ended in mid-line");
}

static gboolean send_text_line(HfOcrReaderProcess *reader, const HfTextLine *line,
                               const char *language)
{
    g_autoptr(HfFrame) frame = hf_frame_new(json_pack(
        "{s:s, s:i, s:i}", "language", language, "width", line->width, "height", line->height));
    gsize size = (gsize)line->width * (gsize)line->height;
    g_ptr_array_add(frame->parts, g_bytes_new_static(line->grey, size));
    return hf_frame_write(reader->fd, frame, NULL);
}

static GArray *words_from_json(const json_t *list)
{
    GArray *words = hf_ocr_engine_words_new();
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *told = json_array_get(list, i);
        const char *text = json_string_value(json_array_get(told, 0));
        if (!text)
            continue;
        HfOcrEngineWord word = {g_strdup(text), (int)json_integer_value(json_array_get(told, 1)),
                                (int)json_integer_value(json_array_get(told, 2)),
                                json_number_value(json_array_get(told, 3))};
        g_array_append_val(words, word);
    }
    return words;
}

GArray *hf_ocr_reader_process_ask(HfOcrReaderProcess *reader, const HfTextLine *line,
                                  const char *language, const HfDeadline *deadline, GError **error)
{
    HfDeadline limit = hf_deadline_within_ms(deadline, HF_LIMIT_READER_LINE_MS);
    g_autoptr(GError) waited = NULL;
    if (!send_text_line(reader, line, language)) {
        fail_reader_gone(error);
        return NULL;
    }
    if (!hf_deadline_wait_readable(&limit, reader->fd, &waited)) {
        /* The call's own limit or the line's: either way the reader is still busy with it. */
        if (hf_deadline_check(deadline, error))
            hf_fail(error, HF_ERROR_DESKTOP_UNAVAILABLE, "the reader took too long for a line");
        return NULL;
    }
    g_autoptr(HfFrame) reply = hf_frame_read(reader->fd, NULL);
    const json_t *failure = reply ? json_object_get(reply->json, "error") : NULL;
    if (failure && error)
        *error = hf_error_new_from_json(failure);
    if (!reply)
        fail_reader_gone(error);
    return reply && !failure ? words_from_json(json_object_get(reply->json, "words")) : NULL;
}
