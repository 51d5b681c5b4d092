/* SPDX-License-Identifier: Apache-2.0 */
/* A reader is lent to one thread for one line. Threads share the list of idle readers and the count
 * of lent ones. A reader is not our child, so nothing has to wait for it. A pidfd names it, so that
 * a signal cannot hit another process. */
#include "hand/pixels/ocr/ocr-reader-pool.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include "hand/apps/process-info.h"
#include "hand/pixels/ocr/ocr-words.h"
#include "hand/pixels/pixels-limits.h"
#include "shared/base/error.h"
#include "shared/base/waiter.h"
#include "shared/wire/frame.h"
#include "shared/wire/stage-protocol.h"
#include "shared/wire/wire-limits.h"

/* ---- one reader ---- */

typedef struct Reader {
    int fd;
    int process; /* a pidfd; -1: it has ended already */
} Reader;

static gboolean spawn_reader(int end, GPid *ret_pid, GError **error)
{
    const char *const arguments[] = {"/proc/self/exe", "reader", NULL};
    const int target = HF_INHERITED_DESCRIPTOR;
    g_autoptr(GError) failed = NULL;
    /* On a busy machine the engine's own threads are four times slower than one. */
    g_auto(GStrv) environment = g_environ_setenv(g_get_environ(), "OMP_THREAD_LIMIT", "1", TRUE);
    if (g_spawn_async_with_pipes_and_fds("/", arguments, (const char *const *)environment,
                                         G_SPAWN_STDOUT_TO_DEV_NULL | G_SPAWN_STDERR_TO_DEV_NULL,
                                         NULL, NULL, -1, -1, -1, &end, &target, 1, ret_pid, NULL,
                                         NULL, NULL, &failed))
        return TRUE;
    return hf_fail(error, HF_ERROR_DESKTOP_UNAVAILABLE, "cannot start the OCR process: %s",
                   failed->message);
}

static Reader *start_reader(GError **error)
{
    const struct timeval limit = {HF_LIMIT_CHANNEL_SEND_MS / 1000, 0};
    int ends[2];
    GPid pid = 0;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
        hf_fail(error, HF_ERROR_LIMIT_EXCEEDED, "cannot create a socket for the OCR process: %s",
                g_strerror(errno));
        return NULL;
    }
    gboolean started = spawn_reader(ends[1], &pid, error);
    close(ends[1]);
    if (!started) {
        close(ends[0]);
        return NULL;
    }
    setsockopt(ends[0], SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
    setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    Reader *reader = g_new(Reader, 1);
    *reader = (Reader){ends[0], hf_process_open(pid)};
    return reader;
}

/* Ends it at once, whatever it is doing. */
static void end_reader(Reader *reader)
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

/* Whether it has ended by itself, for instance because it was idle. */
static gboolean is_reader_gone(const Reader *reader)
{
    struct pollfd end = {reader->fd, POLLIN, 0};
    return poll(&end, 1, 0) != 0;
}

static gboolean fail_reader_gone(GError **error)
{
    return hf_fail(error, HF_ERROR_DESKTOP_UNAVAILABLE,
                   "the OCR process ended while it read a line");
}

static gboolean send_text_line(const Reader *reader, const HfTextLine *line, const char *language)
{
    g_autoptr(HfFrame) frame = hf_frame_new(json_pack(
        "{s:s, s:i, s:i}", "language", language, "width", line->width, "height", line->height));
    gsize size = (gsize)line->width * (gsize)line->height;
    g_ptr_array_add(frame->parts, g_bytes_new_static(line->grey, size));
    return hf_frame_write(reader->fd, frame, NULL);
}

static GArray *engine_words_from_json(const json_t *list)
{
    GArray *words = hf_line_words_new();
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *item = json_array_get(list, i);
        const char *text = json_string_value(json_array_get(item, 0));
        if (!text)
            continue;
        int left = (int)json_integer_value(json_array_get(item, 1));
        int right = (int)json_integer_value(json_array_get(item, 2));
        HfLineWord word = {
            g_strdup(text), {left, 0, right - left, 0}, json_number_value(json_array_get(item, 3))};
        g_array_append_val(words, word);
    }
    return words;
}

/* DESKTOP_UNAVAILABLE: the reader cannot be used again. */
static GArray *read_with_reader(const Reader *reader, const HfTextLine *line, const char *language,
                                const HfDeadline *deadline, GError **error)
{
    HfDeadline limit = hf_deadline_within_ms(deadline, HF_LIMIT_READER_LINE_MS);
    g_autoptr(GError) waited = NULL;
    if (!send_text_line(reader, line, language)) {
        fail_reader_gone(error);
        return NULL;
    }
    if (!hf_deadline_wait_readable(&limit, reader->fd, &waited)) {
        /* Past the call's limit or the line's, the reader is still busy. */
        if (hf_deadline_check(deadline, error))
            hf_fail(error, HF_ERROR_DESKTOP_UNAVAILABLE,
                    "the OCR process took too long for a line");
        return NULL;
    }
    g_autoptr(HfFrame) reply = hf_frame_read(reader->fd, NULL);
    const json_t *failure = reply ? json_object_get(reply->json, "error") : NULL;
    if (failure && error)
        *error = hf_error_new_from_json(failure);
    if (!reply)
        fail_reader_gone(error);
    return reply && !failure ? engine_words_from_json(json_object_get(reply->json, "words")) : NULL;
}

/* ---- the pool ---- */

static GMutex lock; /* guards what follows */
static GCond changed;
static Reader *idle[HF_LIMIT_READERS];
static int idle_count, lent_count;

int hf_ocr_reader_pool_count(void)
{
    return CLAMP((int)g_get_num_processors(), 1, HF_LIMIT_READERS);
}

/* Waits while all are lent. `ret_reader` NULL: the caller has to start one. */
static gboolean borrow_reader(const HfDeadline *deadline, Reader **ret_reader, GError **error)
{
    HfWaiter waiter;
    gboolean got;
    *ret_reader = NULL;
    hf_waiter_begin(&waiter, &lock, &changed, deadline->cancellable);
    g_mutex_lock(&lock);
    while ((got = hf_deadline_check(deadline, error)) && lent_count >= hf_ocr_reader_pool_count())
        g_cond_wait_until(&changed, &lock, deadline->at_us);
    if (got) {
        lent_count++;
        if (idle_count > 0)
            *ret_reader = idle[--idle_count];
    }
    g_mutex_unlock(&lock);
    hf_waiter_end(&waiter);
    return got;
}

/* `take_reader` NULL: it has ended. */
static void return_reader(Reader *take_reader)
{
    g_mutex_lock(&lock);
    lent_count--;
    if (take_reader && idle_count < HF_LIMIT_READERS)
        idle[idle_count++] = g_steal_pointer(&take_reader);
    g_cond_signal(&changed);
    g_mutex_unlock(&lock);
    end_reader(take_reader);
}

void hf_ocr_reader_pool_stop(void)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&lock);
    while (idle_count > 0)
        end_reader(idle[--idle_count]);
}

/* Whether the reader can be used again after this error. */
static gboolean is_usable_after(const GError *failed)
{
    HfErrorCode code = failed ? hf_error_code(failed) : HF_ERROR_COUNT;
    return code == HF_ERROR_COUNT || code == HF_ERROR_UNSUPPORTED ||
           code == HF_ERROR_INVALID_PARAMS || code == HF_ERROR_INTERNAL;
}

static GArray *read_with_started_reader(Reader **reader, const HfTextLine *line,
                                        const char *language, const HfDeadline *deadline,
                                        GError **error)
{
    if (!*reader)
        *reader = start_reader(error);
    return *reader ? read_with_reader(*reader, line, language, deadline, error) : NULL;
}

GArray *hf_ocr_reader_pool_read(const HfTextLine *line, const char *language,
                                const HfDeadline *deadline, GError **error)
{
    Reader *reader;
    GError *failed = NULL;
    if (!borrow_reader(deadline, &reader, error))
        return NULL;
    gboolean used = reader != NULL;
    GArray *words = read_with_started_reader(&reader, line, language, deadline, &failed);
    /* A reader that had ended before says nothing about the line. */
    if (!words && used && is_reader_gone(reader)) {
        g_clear_pointer(&reader, end_reader);
        g_clear_error(&failed);
        words = read_with_started_reader(&reader, line, language, deadline, &failed);
    }
    if (!is_usable_after(failed))
        g_clear_pointer(&reader, end_reader);
    return_reader(reader);
    if (failed)
        g_propagate_error(error, failed);
    return words;
}
