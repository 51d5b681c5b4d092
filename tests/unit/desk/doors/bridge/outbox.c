/* SPDX-License-Identifier: Apache-2.0 */
/* Lines and descriptors through a real socket that is full at times: whole, in order, bounded. */
#include "desk/doors/bridge/outbox.h"

#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "desk/doors/bridge/bridge-limits.h"
#include "shared/wire/sealed-memory.h"

typedef struct Pair {
    int ours, theirs;
    HfOutbox *outbox;
    GString *read;
    GArray *fds;
} Pair;

static void open_pair(Pair *pair)
{
    int fds[2];
    g_assert_cmpint(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, fds), ==, 0);
    *pair = (Pair){fds[0], fds[1], hf_outbox_new(fds[0]), g_string_new(NULL),
                   g_array_new(FALSE, FALSE, sizeof(int))};
}

static void close_pair(Pair *pair)
{
    for (guint i = 0; i < pair->fds->len; i++)
        close(g_array_index(pair->fds, int, i));
    g_array_unref(pair->fds);
    hf_outbox_free(pair->outbox);
    g_string_free(pair->read, TRUE);
    close(pair->ours);
    close(pair->theirs);
}

static gboolean read_some(Pair *pair)
{
    char text[65536];
    _Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(int) * 64)];
    struct iovec part = {text, sizeof text};
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = control,
                             .msg_controllen = sizeof control};
    ssize_t got = recvmsg(pair->theirs, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    if (got <= 0)
        return FALSE;
    g_string_append_len(pair->read, text, got);
    for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header;
         header = CMSG_NXTHDR(&message, header))
        g_array_append_vals(pair->fds, CMSG_DATA(header),
                            (guint)((header->cmsg_len - CMSG_LEN(0)) / sizeof(int)));
    return TRUE;
}

static GArray *new_parcel(const char *content)
{
    g_autoptr(GBytes) bytes = g_bytes_new(content, strlen(content));
    int fd = hf_sealed_memory_new(bytes, NULL);
    g_assert_cmpint(fd, >=, 0);
    GArray *fds = g_array_new(FALSE, FALSE, sizeof(int));
    g_array_append_val(fds, fd);
    return fds;
}

/* Every third line has a descriptor; each is larger than what a socket takes at once. */
static void test_descriptors_stay_with_their_lines(void)
{
    Pair pair;
    open_pair(&pair);
    g_autoptr(GString) sent = g_string_new(NULL);
    for (int i = 0; i < 30; i++) {
        g_autofree char *filling = g_strnfill(40000, (char)('a' + i % 26));
        g_autofree char *line = g_strdup_printf("%d %s\n", i, filling);
        g_autofree char *content = g_strdup_printf("parcel %d", i);
        g_string_append(sent, line);
        g_assert_true(hf_outbox_send(pair.outbox, line, strlen(line),
                                     i % 3 == 0 ? new_parcel(content) : NULL, 10));
    }
    g_assert_false(hf_outbox_is_empty(pair.outbox));
    for (int i = 0; i < 10000 && pair.read->len < sent->len; i++) {
        read_some(&pair);
        g_assert_true(hf_outbox_flush(pair.outbox));
    }
    g_assert_cmpstr(pair.read->str, ==, sent->str);
    g_assert_cmpuint(pair.fds->len, ==, 10);
    for (guint i = 0; i < 10; i++) {
        char content[32] = "";
        int fd = g_array_index(pair.fds, int, i);
        g_autofree char *expected = g_strdup_printf("parcel %u", i * 3);
        g_assert_cmpint(read(fd, content, sizeof content - 1), >, 0);
        g_assert_cmpstr(content, ==, expected);
        g_assert_cmpint(ftruncate(fd, 0), <, 0); /* sealed */
    }
    close_pair(&pair);
}

static void test_who_does_not_read_is_dropped(void)
{
    Pair pair;
    open_pair(&pair);
    g_autofree char *line = g_strnfill(1024 * 1024, 'x');
    gsize sent = 0;
    while (hf_outbox_send(pair.outbox, line, 1024 * 1024, NULL, 0))
        sent += 1024 * 1024;
    g_assert_cmpuint(sent, >=, HF_LIMIT_CLIENT_BACKLOG_BYTES / 2);
    g_assert_cmpuint(sent, <=, HF_LIMIT_CLIENT_BACKLOG_BYTES + 1024 * 1024);
    close_pair(&pair);
}

/* Short lines fill no socket, but the pictures behind their descriptors count. */
static void test_pictures_that_nobody_takes_count(void)
{
    const gsize each = 4 * 1024 * 1024;
    for (int reads = 0; reads <= 1; reads++) {
        Pair pair;
        open_pair(&pair);
        gsize sent = 0;
        for (; sent < 2 * HF_LIMIT_CLIENT_BACKLOG_BYTES; sent += each) {
            if (!hf_outbox_send(pair.outbox, "line\n", 5, new_parcel("picture"), each))
                break;
            while (reads && read_some(&pair)) {
            }
        }
        g_assert_cmpuint(sent, ==, (reads ? 2 : 1) * HF_LIMIT_CLIENT_BACKLOG_BYTES);
        close_pair(&pair);
    }
}

static void test_broken_connection(void)
{
    Pair pair;
    open_pair(&pair);
    shutdown(pair.theirs, SHUT_RDWR);
    g_assert_false(hf_outbox_send(pair.outbox, "line\n", 5, new_parcel("picture"), 7));
    close_pair(&pair);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/outbox/descriptors-stay-with-their-lines",
                    test_descriptors_stay_with_their_lines);
    g_test_add_func("/outbox/who-does-not-read-is-dropped", test_who_does_not_read_is_dropped);
    g_test_add_func("/outbox/pictures-that-nobody-takes-count",
                    test_pictures_that_nobody_takes_count);
    g_test_add_func("/outbox/broken-connection", test_broken_connection);
    return g_test_run();
}
