/* SPDX-License-Identifier: Apache-2.0 */
/* The clipper's process, its questions and answers. */
#include "clipper.h"

#include <gio/gio.h>
#include <gio/gunixinputstream.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "await.h"

struct Clipper {
    GSubprocess *process;
    GDataInputStream *answers;
    guint32 window;
};

static json_t *read_answer(Clipper *clipper)
{
    GInputStream *pipe = g_subprocess_get_stdout_pipe(clipper->process);
    struct pollfd fd = {g_unix_input_stream_get_fd(G_UNIX_INPUT_STREAM(pipe)), POLLIN, 0};
    if (g_buffered_input_stream_get_available(G_BUFFERED_INPUT_STREAM(clipper->answers)) == 0 &&
        poll(&fd, 1, TEST_PATIENCE_MS) <= 0)
        g_error("the clipper does not answer");
    g_autofree char *line = g_data_input_stream_read_line(clipper->answers, NULL, NULL, NULL);
    g_assert_nonnull(line);
    json_t *answer = json_loads(line, JSON_ALLOW_NUL, NULL);
    g_assert_nonnull(answer);
    return answer;
}

Clipper *clipper_start(void)
{
    g_autoptr(GError) error = NULL;
    Clipper *clipper = g_new0(Clipper, 1);
    g_autofree char *program =
        g_build_filename(g_getenv("HF_TEST_SOURCE"), "apps/clipper.py", NULL);
    clipper->process = g_subprocess_new(
        G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE, &error, program, NULL);
    g_assert_no_error(error);
    clipper->answers = g_data_input_stream_new(g_subprocess_get_stdout_pipe(clipper->process));
    g_autoptr(json_t) first = read_answer(clipper);
    clipper->window = (guint32)hf_json_int(first, "window", 0);
    g_assert_cmpuint(clipper->window, !=, 0);
    return clipper;
}

void clipper_free(Clipper *clipper)
{
    if (!clipper)
        return;
    g_subprocess_force_exit(clipper->process);
    g_subprocess_wait(clipper->process, NULL, NULL);
    g_object_unref(clipper->answers);
    g_object_unref(clipper->process);
    g_free(clipper);
}

guint32 clipper_window(const Clipper *clipper)
{
    return clipper->window;
}

json_t *clipper_ask(Clipper *clipper, const char *format, ...)
{
    json_error_t problem;
    va_list args;
    va_start(args, format);
    g_autoptr(json_t) command = json_vpack_ex(&problem, 0, format, args);
    va_end(args);
    if (!command)
        g_error("%s", problem.text);
    g_autofree char *text = hf_json_dump(command);
    g_autofree char *line = g_strconcat(text, "\n", NULL);
    GOutputStream *pipe = g_subprocess_get_stdin_pipe(clipper->process);
    g_assert_true(g_output_stream_write_all(pipe, line, strlen(line), NULL, NULL, NULL));
    g_assert_true(g_output_stream_flush(pipe, NULL, NULL));
    return read_answer(clipper);
}

void clipper_assert_text(Clipper *clipper, const char *text)
{
    gint64 until_us = g_get_monotonic_time() + TEST_PATIENCE_MS * G_TIME_SPAN_MILLISECOND;
    for (;;) {
        g_autoptr(json_t) answer = clipper_ask(clipper, "{s:s}", "do", "text");
        const char *seen = hf_json_string(answer, "text", "");
        if (g_str_equal(seen, text))
            return;
        if (g_get_monotonic_time() > until_us)
            g_assert_cmpstr(seen, ==, text);
    }
}

GBytes *run_program(GBytes *input, const char *program, ...)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GPtrArray) argv = g_ptr_array_new();
    va_list args;
    va_start(args, program);
    for (const char *arg = program; arg; arg = va_arg(args, const char *))
        g_ptr_array_add(argv, (gpointer)arg);
    va_end(args);
    g_ptr_array_add(argv, NULL);
    g_autoptr(GSubprocess) process = g_subprocess_newv(
        (const char *const *)argv->pdata,
        (input ? G_SUBPROCESS_FLAGS_STDIN_PIPE : 0) | G_SUBPROCESS_FLAGS_STDOUT_PIPE, &error);
    g_assert_no_error(error);
    GBytes *output = NULL;
    g_subprocess_communicate(process, input, NULL, &output, NULL, &error);
    g_assert_no_error(error);
    g_assert_true(g_subprocess_get_successful(process));
    return output;
}

/* xclip goes to the background before it has told the X server, so its exit says nothing. */
void own_with_xclip(const char *selection, const char *target, GBytes *bytes)
{
    g_autofree char *name = g_ascii_strup(selection, -1);
    g_autoptr(OwnerWatch) watch = owner_watch_new(NULL, name);
    g_autoptr(GError) error = NULL;
    g_autoptr(GSubprocess) process =
        g_subprocess_new(G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_SILENCE, &error,
                         "xclip", "-i", "-selection", selection, "-t", target, NULL);
    g_assert_no_error(error);
    g_subprocess_communicate(process, bytes, NULL, NULL, NULL, &error);
    g_assert_no_error(error);
    g_assert_true(g_subprocess_get_successful(process));
    owner_watch_await_taken(watch);
}

char *sha256_of(GBytes *bytes)
{
    return g_compute_checksum_for_bytes(G_CHECKSUM_SHA256, bytes);
}
