/* SPDX-License-Identifier: Apache-2.0 */
/* Messages between two of our processes: what is sent arrives, what is no good is refused, and no
 * descriptor is left behind. */
#include "shared/wire/channel.h"

#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "shared/base/error.h"
#include "shared/wire/wire-limits.h"

typedef struct Ends {
    int a, b;
} Ends;

static void set_up(Ends *ends, gconstpointer data)
{
    g_autoptr(GError) error = NULL;
    int pair[2];
    g_assert_true(hf_channel_pair(pair, &error));
    *ends = (Ends){pair[0], pair[1]};
}

static void tear_down(Ends *ends, gconstpointer data)
{
    close(ends->a);
    if (ends->b >= 0)
        close(ends->b);
}

static guint open_descriptors(void)
{
    DIR *folder = opendir("/proc/self/fd");
    guint count = 0;
    while (readdir(folder))
        count++;
    closedir(folder);
    return count;
}

static void test_round_trip(Ends *ends, gconstpointer data)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(json_t) first = json_pack("{s:s, s:i}", "type", "hello", "n", 1);
    g_autoptr(json_t) second = json_pack("{s:s}", "type", "wörld");
    g_assert_true(hf_channel_send(ends->a, first, -1, &error));
    g_assert_true(hf_channel_send(ends->a, second, -1, &error));
    int descriptor = 7;
    g_autoptr(json_t) got_first = hf_channel_receive(ends->b, &descriptor, &error);
    g_autoptr(json_t) got_second = hf_channel_receive(ends->b, NULL, &error);
    g_assert_no_error(error);
    g_assert_cmpint(descriptor, ==, -1);
    g_assert_true(json_equal(first, got_first));
    g_assert_true(json_equal(second, got_second));
}

static void test_descriptor(Ends *ends, gconstpointer data)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(json_t) message = json_pack("{s:s}", "type", "take");
    int pipe_ends[2], got = -1;
    g_assert_cmpint(pipe2(pipe_ends, O_CLOEXEC), ==, 0);
    g_assert_true(hf_channel_send(ends->a, message, pipe_ends[1], &error));
    close(pipe_ends[1]);
    g_autoptr(json_t) received = hf_channel_receive(ends->b, &got, &error);
    g_assert_nonnull(received);
    g_assert_cmpint(fcntl(got, F_GETFD) & FD_CLOEXEC, ==, FD_CLOEXEC);
    char byte = 0;
    g_assert_cmpint(write(got, "x", 1), ==, 1);
    g_assert_cmpint(read(pipe_ends[0], &byte, 1), ==, 1);
    g_assert_cmpint(byte, ==, 'x');
    close(got);
    close(pipe_ends[0]);
}

/* Raw bytes with `count` copies of standard input. */
static void send_raw(int channel, const char *bytes, gsize length, int count)
{
    struct iovec part = {(char *)bytes, length};
    char room[CMSG_SPACE(sizeof(int) * 16)] = {0};
    struct msghdr header = {.msg_iov = &part, .msg_iovlen = 1};
    if (count > 0) {
        header.msg_control = room;
        header.msg_controllen = CMSG_SPACE(sizeof(int) * (gsize)count);
        struct cmsghdr *control = CMSG_FIRSTHDR(&header);
        control->cmsg_level = SOL_SOCKET;
        control->cmsg_type = SCM_RIGHTS;
        control->cmsg_len = CMSG_LEN(sizeof(int) * (gsize)count);
        memset(CMSG_DATA(control), 0, sizeof(int) * (gsize)count);
    }
    g_assert_cmpint(sendmsg(channel, &header, 0), ==, (gssize)length);
}

static void test_bad_messages(Ends *ends, gconstpointer data)
{
    g_autofree char *huge = g_strnfill(HF_LIMIT_CHANNEL_BYTES + 1, ' ');
    const struct {
        const char *bytes;
        gsize length;
        int descriptors;
        HfErrorCode code;
    } cases[] = {
        {"nonsense", 8, 0, HF_ERROR_INVALID_PARAMS},
        {"[1]", 3, 0, HF_ERROR_INVALID_PARAMS},
        {"\"text\"", 6, 1, HF_ERROR_INVALID_PARAMS},
        {"{\"a\":\"\xff\"}", 9, 0, HF_ERROR_INVALID_PARAMS},
        {"{\"a\":1} {}", 10, 3, HF_ERROR_INVALID_PARAMS},
        {"\0", 1, 0, HF_ERROR_INVALID_PARAMS},
        {huge, HF_LIMIT_CHANNEL_BYTES + 1, 16, HF_ERROR_LIMIT_EXCEEDED},
    };
    guint before = open_descriptors();
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        int descriptor = -1;
        send_raw(ends->a, cases[i].bytes, cases[i].length, cases[i].descriptors);
        g_assert_null(hf_channel_receive(ends->b, &descriptor, &error));
        g_assert_error(error, HF_ERROR, (int)cases[i].code);
        g_assert_cmpint(descriptor, ==, -1);
    }
    g_assert_cmpuint(open_descriptors(), ==, before);
}

static void test_surplus_descriptors(Ends *ends, gconstpointer data)
{
    g_autoptr(GError) error = NULL;
    guint before = open_descriptors();
    send_raw(ends->a, "{}", 2, 16);
    int descriptor = -1;
    g_autoptr(json_t) first = hf_channel_receive(ends->b, &descriptor, &error);
    g_assert_nonnull(first);
    g_assert_cmpuint(open_descriptors(), ==, before + 1);
    close(descriptor);
    send_raw(ends->a, "{}", 2, 2);
    g_autoptr(json_t) second = hf_channel_receive(ends->b, NULL, &error);
    g_assert_nonnull(second);
    g_assert_cmpuint(open_descriptors(), ==, before);
}

static void test_limits(Ends *ends, gconstpointer data)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *text = g_strnfill(HF_LIMIT_CHANNEL_BYTES, 'x');
    g_autoptr(json_t) message = json_pack("{s:s}", "text", text);
    g_assert_false(hf_channel_send(ends->a, message, -1, &error));
    g_assert_error(error, HF_ERROR, HF_ERROR_LIMIT_EXCEEDED);
}

static void test_closed(Ends *ends, gconstpointer data)
{
    g_autoptr(json_t) message = json_pack("{}");
    close(ends->b);
    ends->b = -1;
    g_autoptr(GError) sending = NULL, receiving = NULL;
    g_assert_false(hf_channel_send(ends->a, message, -1, &sending));
    g_assert_error(sending, HF_ERROR, HF_ERROR_DESKTOP_UNAVAILABLE);
    g_assert_null(hf_channel_receive(ends->a, NULL, &receiving));
    g_assert_error(receiving, HF_ERROR, HF_ERROR_DESKTOP_UNAVAILABLE);
}

/* A process that does not read holds up nobody for ever. */
static void test_deaf(Ends *ends, gconstpointer data)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *text = g_strnfill(HF_LIMIT_CHANNEL_BYTES / 2, 'x');
    g_autoptr(json_t) message = json_pack("{s:s}", "text", text);
    gint64 begun = g_get_monotonic_time();
    while (hf_channel_send(ends->a, message, -1, &error))
        ;
    g_assert_error(error, HF_ERROR, HF_ERROR_DESKTOP_TIMEOUT);
    g_assert_cmpint(g_get_monotonic_time() - begun, <, 3 * HF_LIMIT_CHANNEL_SEND_MS * 1000);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
#define TEST(name) g_test_add("/channel/" #name, Ends, NULL, set_up, test_##name, tear_down)
    TEST(round_trip);
    TEST(descriptor);
    TEST(bad_messages);
    TEST(surplus_descriptors);
    TEST(limits);
    TEST(closed);
    TEST(deaf);
    return g_test_run();
}
