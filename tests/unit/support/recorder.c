/* SPDX-License-Identifier: Apache-2.0 */
/* The recorder's process, its lines, and their limits in time. */
#include "recorder.h"

#include <gio/gio.h>
#include <gio/gunixinputstream.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "await.h"
#include "spawn.h"

#define WAIT_MS TEST_PATIENCE_MS

struct Recorder {
    GSubprocess *process;
    int fd;
    GString *pending; /* bytes of lines that were not taken yet */
    guint32 window;
};

/* Takes one whole line out of what was read; NULL when there is none yet. */
static json_t *take_line(Recorder *recorder)
{
    const char *newline = strchr(recorder->pending->str, '\n');
    if (!newline)
        return NULL;
    gsize length = (gsize)(newline - recorder->pending->str);
    json_t *event = json_loadb(recorder->pending->str, length, 0, NULL);
    g_assert_nonnull(event);
    g_string_erase(recorder->pending, 0, (gssize)length + 1);
    return event;
}

/* FALSE when nothing came until `until_us`, or the recorder has ended. */
static gboolean read_more(Recorder *recorder, gint64 until_us)
{
    struct pollfd fd = {recorder->fd, POLLIN, 0};
    gint64 left = MAX(0, until_us - g_get_monotonic_time());
    if (poll(&fd, 1, (int)(left / 1000)) <= 0)
        return FALSE;
    char bytes[4096];
    ssize_t count = read(recorder->fd, bytes, sizeof bytes);
    if (count > 0)
        g_string_append_len(recorder->pending, bytes, count);
    return count > 0;
}

static json_t *next_of_any(Recorder *recorder, gint64 until_us)
{
    json_t *event;
    while (!(event = take_line(recorder)))
        if (!read_more(recorder, until_us))
            return NULL;
    return event;
}

json_t *recorder_find(Recorder *recorder, const char *name, int milliseconds)
{
    gint64 until_us = g_get_monotonic_time() + milliseconds * G_TIME_SPAN_MILLISECOND;
    json_t *event;
    while ((event = next_of_any(recorder, until_us))) {
        if (strcmp(hf_json_string(event, "event", ""), name) == 0)
            return event;
        json_decref(event);
    }
    return NULL;
}

json_t *recorder_next(Recorder *recorder, const char *name)
{
    json_t *event = recorder_find(recorder, name, WAIT_MS);
    if (!event)
        g_error("the recorder did not see '%s'", name);
    return event;
}

guint recorder_count_until(Recorder *recorder, const char *name, const char *until)
{
    gint64 until_us = g_get_monotonic_time() + WAIT_MS * G_TIME_SPAN_MILLISECOND;
    guint count = 0;
    for (;;) {
        g_autoptr(json_t) event = next_of_any(recorder, until_us);
        if (!event)
            g_error("the recorder did not see '%s'", until);
        const char *kind = hf_json_string(event, "event", "");
        if (strcmp(kind, until) == 0)
            return count;
        count += strcmp(kind, name) == 0;
    }
}

Recorder *recorder_start(const char *geometry, ...)
{
    const char *folder = g_getenv("HF_TEST_APPS");
    g_assert_nonnull(folder);
    g_autoptr(GPtrArray) arguments = g_ptr_array_new();
    g_autofree char *program = g_build_filename(folder, "recorder", NULL);
    g_ptr_array_add(arguments, program);
    g_ptr_array_add(arguments, (char *)"--geometry");
    g_ptr_array_add(arguments, (char *)geometry);
    va_list more;
    va_start(more, geometry);
    const char *argument;
    while ((argument = va_arg(more, const char *)))
        g_ptr_array_add(arguments, (char *)argument);
    va_end(more);
    g_ptr_array_add(arguments, NULL);

    Recorder *recorder = g_new0(Recorder, 1);
    recorder->process =
        test_spawnv(G_SUBPROCESS_FLAGS_STDOUT_PIPE, (const char *const *)arguments->pdata);
    recorder->pending = g_string_new(NULL);
    recorder->fd = g_unix_input_stream_get_fd(
        G_UNIX_INPUT_STREAM(g_subprocess_get_stdout_pipe(recorder->process)));
    g_autoptr(json_t) ready = recorder_next(recorder, "ready");
    recorder->window = (guint32)hf_json_int(ready, "window", 0);
    return recorder;
}

void recorder_free(Recorder *recorder)
{
    if (!recorder)
        return;
    test_end(recorder->process);
    g_string_free(recorder->pending, TRUE);
    g_free(recorder);
}

guint32 recorder_window(const Recorder *recorder)
{
    return recorder->window;
}
