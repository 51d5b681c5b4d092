/* SPDX-License-Identifier: Apache-2.0 */
/* Frames between processes: they arrive whole, and rubbish is refused before it costs memory. */
#include "shared/wire/frame.h"

#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "shared/base/error.h"
#include "shared/base/json.h"
#include "shared/wire/wire-limits.h"

typedef struct Pipe {
    int ends[2];
    HfFrame *frame;
} Pipe;

static Pipe new_pipe(void)
{
    Pipe pipe = {0};
    g_assert_cmpint(socketpair(AF_UNIX, SOCK_STREAM, 0, pipe.ends), ==, 0);
    return pipe;
}

static gpointer write_frame(gpointer data)
{
    Pipe *pipe = data;
    g_assert_true(hf_frame_write(pipe->ends[0], pipe->frame, NULL));
    close(pipe->ends[0]);
    return NULL;
}

static void check_round_trip(gsize part_bytes, guint parts)
{
    Pipe pipe = new_pipe();
    pipe.frame = hf_frame_new(json_pack("{s:s, s:i}", "text", "héllo 世界", "n", 7));
    for (guint i = 0; i < parts; i++) {
        guint8 *bytes = g_malloc(part_bytes + 1);
        memset(bytes, (int)i + 1, part_bytes);
        g_ptr_array_add(pipe.frame->parts, g_bytes_new_take(bytes, part_bytes));
    }
    GThread *writer = g_thread_new("writer", write_frame, &pipe);
    g_autoptr(GError) error = NULL;
    g_autoptr(HfFrame) got = hf_frame_read(pipe.ends[1], &error);
    g_assert_no_error(error);
    g_assert_true(json_equal(got->json, pipe.frame->json));
    g_assert_cmpuint(got->parts->len, ==, parts);
    for (guint i = 0; i < parts; i++)
        g_assert_true(g_bytes_equal(got->parts->pdata[i], pipe.frame->parts->pdata[i]));
    g_assert_null(hf_frame_read(pipe.ends[1], &error));
    g_assert_no_error(error); /* a plain end is no error */
    g_thread_join(writer);
    hf_frame_free(pipe.frame);
    close(pipe.ends[1]);
}

static void test_round_trips(void)
{
    check_round_trip(0, 0);
    check_round_trip(0, 2);
    check_round_trip(1, 1);
    check_round_trip(5 << 20, 3);
    check_round_trip(10, HF_LIMIT_ATTACHMENTS);
}

static const struct {
    guint32 words[4];
    gsize bytes; /* how many of them are sent */
    const char *rest;
} rubbish[] = {
    {{0, 0}, 8, ""},
    {{0xffffffff, 0}, 8, ""},
    {{2, 0xffffffff}, 8, "{}"},
    {{2, HF_LIMIT_ATTACHMENTS + 1}, 8, "{}"},
    {{2, 2, 0xf0000000, 0xf0000000}, 16, "{}"},
    {{2, 0}, 3, ""},
    {{5, 0}, 8, "{}"},
    {{2, 0}, 8, "[]"},
    {{2, 0}, 8, "zz"},
    {{2, 1, 9}, 12, "{}abc"},
    {{4, 0}, 8, "{\"\xff}"},
};

static void test_rubbish(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(rubbish); i++) {
        Pipe pipe = new_pipe();
        g_assert_cmpint(write(pipe.ends[0], rubbish[i].words, rubbish[i].bytes), ==,
                        (gssize)rubbish[i].bytes);
        gsize length = strlen(rubbish[i].rest);
        g_assert_cmpint(write(pipe.ends[0], rubbish[i].rest, length), ==, (gssize)length);
        close(pipe.ends[0]);
        g_autoptr(GError) error = NULL;
        g_assert_null(hf_frame_read(pipe.ends[1], &error));
        g_assert_nonnull(error);
        close(pipe.ends[1]);
    }
}

static HfFrame *frame_with_fds(guint count)
{
    HfFrame *frame = hf_frame_new(json_pack("{s:i}", "count", (int)count));
    for (guint i = 0; i < count; i++)
        g_assert_cmpuint(hf_frame_take_fd(frame, dup(STDERR_FILENO)), ==, i);
    return frame;
}

static guint count_open(void)
{
    g_autoptr(GDir) dir = g_dir_open("/proc/self/fd", 0, NULL);
    guint count = 0;
    while (g_dir_read_name(dir))
        count++;
    return count;
}

/* Each frame gets its own, also if several wait to be read; who does not ask for them keeps none.
 */
static void test_descriptors(void)
{
    const guint counts[] = {1, 0, 3, HF_LIMIT_FRAME_FDS};
    guint before = count_open();
    Pipe pipe = new_pipe();
    for (gsize i = 0; i < G_N_ELEMENTS(counts); i++) {
        g_autoptr(HfFrame) frame = frame_with_fds(counts[i]);
        g_assert_true(hf_frame_write(pipe.ends[0], frame, NULL));
    }
    for (gsize i = 0; i < G_N_ELEMENTS(counts) - 1; i++) {
        g_autoptr(HfFrame) frame = hf_frame_receive(pipe.ends[1], NULL);
        g_assert_cmpuint(frame->fds->len, ==, counts[i]);
        g_assert_cmpint(hf_json_int(frame->json, "count", -1), ==, counts[i]);
        for (guint k = 0; k < frame->fds->len; k++) {
            int flags = fcntl(g_array_index(frame->fds, int, k), F_GETFD);
            g_assert_true(flags >= 0 && (flags & FD_CLOEXEC));
        }
    }
    g_autoptr(HfFrame) last = hf_frame_read(pipe.ends[1], NULL);
    g_assert_cmpuint(last->fds->len, ==, 0);
    g_autoptr(HfFrame) many = frame_with_fds(HF_LIMIT_FRAME_FDS + 1);
    g_autoptr(GError) error = NULL;
    g_assert_false(hf_frame_write(pipe.ends[0], many, &error));
    g_assert_error(error, HF_ERROR, HF_ERROR_LIMIT_EXCEEDED);
    g_array_set_size(many->fds, 0);
    close(pipe.ends[0]);
    close(pipe.ends[1]);
    g_assert_cmpuint(count_open(), ==, before);
}

static void test_gone_reader(void)
{
    Pipe pipe = new_pipe();
    close(pipe.ends[1]);
    g_autoptr(HfFrame) frame = hf_frame_new(json_object());
    g_autoptr(GError) error = NULL;
    g_assert_false(hf_frame_write(pipe.ends[0], frame, &error));
    g_assert_error(error, HF_ERROR, HF_ERROR_DESKTOP_UNAVAILABLE);
    close(pipe.ends[0]);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/frame/round-trips", test_round_trips);
    g_test_add_func("/frame/rubbish", test_rubbish);
    g_test_add_func("/frame/descriptors", test_descriptors);
    g_test_add_func("/frame/gone-reader", test_gone_reader);
    return g_test_run();
}
