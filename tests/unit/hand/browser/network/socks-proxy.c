/* SPDX-License-Identifier: Apache-2.0 */
/* The browser's way to the network, asked byte by byte, with a server behind it that sends back
 * what it gets. */
#include <errno.h>
#include <gio/gio.h>
#include <netinet/in.h>
#include <poll.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "hand/browser/network/socks-proxy.h"
#include "shared/base/error.h"
#include "support/await.h"

#define GREETING "\x05\x01\x00"
#define WELCOME  "\x05\x00"

/* ---- a server that sends back what it gets ---- */

typedef struct Echo {
    int listener;
    guint16 port;
    GThread *thread;
} Echo;

static gpointer serve_echo(gpointer data)
{
    const Echo *echo = data;
    struct pollfd somebody = {echo->listener, POLLIN, 0};
    int client;
    /* accept() takes its descriptor first, and waits then: there may be none at that time. */
    while (poll(&somebody, 1, -1) > 0 && (client = accept(echo->listener, NULL, NULL)) >= 0) {
        char buffer[4096];
        ssize_t count;
        while ((count = read(client, buffer, sizeof buffer)) > 0)
            if (send(client, buffer, (gsize)count, MSG_NOSIGNAL) != count)
                break;
        close(client);
    }
    return NULL;
}

static int open_port(guint16 *ret_port, gboolean listens)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t size = sizeof address;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    g_assert_cmpint(bind(fd, (struct sockaddr *)&address, size), ==, 0);
    g_assert_cmpint(getsockname(fd, (struct sockaddr *)&address, &size), ==, 0);
    g_assert_true(!listens || listen(fd, 16) == 0);
    *ret_port = ntohs(address.sin_port);
    return fd;
}

static void echo_init(Echo *echo)
{
    echo->listener = open_port(&echo->port, TRUE);
    echo->thread = g_thread_new("echo", serve_echo, echo);
}

static void echo_clear(Echo *echo)
{
    shutdown(echo->listener, SHUT_RDWR);
    g_thread_join(echo->thread);
    close(echo->listener);
}

/* ---- a client ---- */

static int reach(HfSocks *socks)
{
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_addr = {htonl(INADDR_LOOPBACK)},
                                  .sin_port = htons(hf_socks_get_port(socks))};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    g_assert_cmpint(connect(fd, (struct sockaddr *)&address, sizeof address), ==, 0);
    return fd;
}

/* FALSE: it was closed before. */
static gboolean read_exactly(int fd, guint8 *bytes, gsize count)
{
    while (count > 0) {
        struct pollfd ready = {fd, POLLIN, 0};
        g_assert_cmpint(poll(&ready, 1, TEST_PATIENCE_MS), ==, 1);
        ssize_t got = read(fd, bytes, count);
        if (got <= 0)
            return FALSE;
        bytes += got;
        count -= (gsize)got;
    }
    return TRUE;
}

static void send_in_pieces(int fd, const GByteArray *bytes, gsize piece)
{
    for (gsize at = 0; at < bytes->len; at += piece)
        if (send(fd, bytes->data + at, MIN(piece, bytes->len - at), MSG_NOSIGNAL) < 0)
            return;
}

static void append(GByteArray *bytes, const void *more, gsize count)
{
    g_byte_array_append(bytes, more, (guint)count);
}

static void append_port(GByteArray *bytes, guint16 port)
{
    const guint8 both[] = {(guint8)(port >> 8), (guint8)port};
    append(bytes, both, 2);
}

/* ---- what is asked ---- */

typedef enum Where { ECHO, NOBODY } Where;

#define BYTES(text) (text), sizeof(text) - 1
#define CLOSED      (-1)

static const struct {
    const char *about;
    const char *greeting;
    gsize greeting_size;
    const char *request; /* up to the port */
    gsize request_size;
    Where where;
    int reply;   /* CLOSED: none */
    int problem; /* of the note; -1: none */
} requests[] = {
    {"an address", BYTES(GREETING), BYTES("\x05\x01\x00\x01\x7f\x00\x00\x01"), ECHO, 0, -1},
    {"an address as a name", BYTES(GREETING),
     BYTES("\x05\x01\x00\x03\x09"
           "127.0.0.1"),
     ECHO, 0, -1},
    {"many methods", BYTES("\x05\x04\x02\x01\x00\x80"), BYTES("\x05\x01\x00\x01\x7f\x00\x00\x01"),
     ECHO, 0, -1},
    {"no methods", BYTES("\x05\x00"), BYTES("\x05\x01\x00\x01\x7f\x00\x00\x01"), ECHO, 0, -1},
    {"nobody listens", BYTES(GREETING), BYTES("\x05\x01\x00\x01\x7f\x00\x00\x01"), NOBODY, 5,
     HF_SOCKS_UNREACHABLE},
    {"blocked", BYTES(GREETING),
     BYTES("\x05\x01\x00\x03\x0a"
           "bad.a.test"),
     ECHO, 2, HF_SOCKS_REFUSED},
    {"blocked, in capitals and with a dot", BYTES(GREETING),
     BYTES("\x05\x01\x00\x03\x0b"
           "BAD.a.TEST."),
     ECHO, 2, HF_SOCKS_REFUSED},
    {"blocked, by address", BYTES(GREETING), BYTES("\x05\x01\x00\x01\x0a\x00\x00\x01"), ECHO, 2,
     HF_SOCKS_REFUSED},
    {"blocked, by address in IPv6", BYTES(GREETING),
     BYTES("\x05\x01\x00\x04\0\0\0\0\0\0\0\0\0\0\xff\xff\x0a\x00\x00\x01"), ECHO, 2,
     HF_SOCKS_REFUSED},
    {"blocked, by address in IPv6 as a name", BYTES(GREETING),
     BYTES("\x05\x01\x00\x03\x0f"
           "::ffff:10.0.0.1"),
     ECHO, 2, HF_SOCKS_REFUSED},
    {"nobody knows it", BYTES(GREETING),
     BYTES("\x05\x01\x00\x03\x0c"
           "none.invalid"),
     ECHO, 4, HF_SOCKS_UNKNOWN},
    {"nowhere", BYTES(GREETING), BYTES("\x05\x01\x00\x03\x0f" HF_SOCKS_NOWHERE), ECHO, 4, -1},
    {"no host", BYTES(GREETING), BYTES("\x05\x01\x00\x03\x00"), ECHO, CLOSED, -1},
    {"half a name", BYTES(GREETING),
     BYTES("\x05\x01\x00\x03\x09"
           "bad\0.test"),
     ECHO, CLOSED, -1},
    {"another kind of address", BYTES(GREETING), BYTES("\x05\x01\x00\x02\x7f\x00\x00\x01"), ECHO,
     CLOSED, -1},
    {"bind", BYTES(GREETING), BYTES("\x05\x02\x00\x01\x7f\x00\x00\x01"), ECHO, CLOSED, -1},
    {"datagrams", BYTES(GREETING), BYTES("\x05\x03\x00\x01\x7f\x00\x00\x01"), ECHO, CLOSED, -1},
    {"another version, later", BYTES(GREETING), BYTES("\x04\x01\x00\x01\x7f\x00\x00\x01"), ECHO,
     CLOSED, -1},
};

/* What no greeting is: nothing is answered. */
static const struct {
    const char *bytes;
    gsize size;
} greetings[] = {
    {BYTES("\x04\x01\x00\x50\x7f\x00\x00\x01\x00")},
    {BYTES("GET / HTTP/1.1\r\n\r\n")},
    {BYTES("\x16\x03\x01\x02\x00\x01")},
    {BYTES("\x00\x00\x00\x00")},
};

static HfPagePolicy *policy_of(const char *text)
{
    g_autoptr(json_t) lists = json_loads(text, 0, NULL);
    return hf_page_policy_new(lists);
}

static void check_notes(HfSocks *socks, gint64 since, int problem)
{
    g_autoptr(GPtrArray) notes = hf_socks_dup_notes(socks, since);
    g_assert_cmpuint(notes->len, ==, problem < 0 ? 0 : 1);
    if (problem >= 0)
        g_assert_cmpint(((const HfSocksNote *)notes->pdata[0])->problem, ==, problem);
}

static void check_echo(int fd)
{
    guint8 back[5];
    g_assert_cmpint(send(fd, "hello", 5, MSG_NOSIGNAL), ==, 5);
    g_assert_true(read_exactly(fd, back, 5));
    g_assert_cmpmem(back, 5, "hello", 5);
}

static void check_request(HfSocks *socks, gsize i, guint16 port, gsize piece)
{
    g_autoptr(GByteArray) bytes = g_byte_array_new();
    guint8 welcome[2], answer[10];
    gint64 since = g_get_monotonic_time();
    append(bytes, requests[i].greeting, requests[i].greeting_size);
    append(bytes, requests[i].request, requests[i].request_size);
    append_port(bytes, port);
    int fd = reach(socks);
    send_in_pieces(fd, bytes, piece);
    g_assert_true(read_exactly(fd, welcome, 2));
    g_assert_cmpmem(welcome, 2, WELCOME, 2);
    gboolean answered = read_exactly(fd, answer, sizeof answer);
    g_assert_cmpint(answered, ==, requests[i].reply != CLOSED);
    if (answered) {
        g_assert_cmpint(answer[0], ==, 5);
        g_assert_cmpint(answer[1], ==, requests[i].reply);
        check_notes(socks, since, requests[i].problem);
    }
    if (requests[i].reply == 0)
        check_echo(fd);
    close(fd);
}

static void test_requests(void)
{
    Echo echo;
    guint16 nobody;
    int unused = open_port(&nobody, FALSE);
    echo_init(&echo);
    HfSocks *socks = hf_socks_new(0, NULL);
    hf_socks_take_policy(
        socks, policy_of("{\"allowed\": [], \"blocked\": [\"bad.a.test\", \"10.0.0.1\"]}"));
    static const gsize pieces[] = {1024, 1};
    for (gsize i = 0; i < G_N_ELEMENTS(requests); i++)
        for (gsize k = 0; k < G_N_ELEMENTS(pieces); k++) {
            g_test_message("%s, %d at a time", requests[i].about, (int)pieces[k]);
            check_request(socks, i, requests[i].where == ECHO ? echo.port : nobody, pieces[k]);
        }
    hf_socks_free(socks);
    close(unused);
    echo_clear(&echo);
}

static void test_what_is_no_greeting(void)
{
    HfSocks *socks = hf_socks_new(0, NULL);
    for (gsize i = 0; i < G_N_ELEMENTS(greetings); i++) {
        guint8 byte;
        int fd = reach(socks);
        send(fd, greetings[i].bytes, greetings[i].size, MSG_NOSIGNAL);
        g_assert_false(read_exactly(fd, &byte, 1));
        close(fd);
    }
    hf_socks_free(socks);
}

/* ---- what is open already ---- */

static int connect_through(HfSocks *socks, guint16 port)
{
    g_autoptr(GByteArray) bytes = g_byte_array_new();
    guint8 answer[12];
    append(bytes, BYTES(GREETING "\x05\x01\x00\x01\x7f\x00\x00\x01"));
    append_port(bytes, port);
    int fd = reach(socks);
    send_in_pieces(fd, bytes, 64);
    g_assert_true(read_exactly(fd, answer, sizeof answer));
    g_assert_cmpint(answer[3], ==, 0);
    return fd;
}

/* Both lists are looked at anew, and only what is out is cut. */
static void test_other_lists_cut(void)
{
    static const struct {
        const char *policy, *agreement; /* NULL: not given */
        gboolean stays;
    } lists[] = {
        {"{\"allowed\": [[\"127.0.0.1\"]]}", NULL, TRUE},
        {"{\"blocked\": [\"elsewhere\"]}", "{\"allowed\": [[\"127.*\"]]}", TRUE},
        {"{\"blocked\": [\"127.0.0.1\"]}", NULL, FALSE},
        {NULL, "{\"blocked\": [\"127.0.0.1\"]}", FALSE},
        {"{\"allowed\": [[\"127.*\"], [\"elsewhere\"]]}", NULL, FALSE},
    };
    Echo echo;
    echo_init(&echo);
    for (gsize i = 0; i < G_N_ELEMENTS(lists); i++) {
        HfSocks *socks = hf_socks_new(0, NULL);
        int fd = connect_through(socks, echo.port);
        guint8 byte;
        check_echo(fd);
        if (lists[i].policy)
            hf_socks_take_policy(socks, policy_of(lists[i].policy));
        if (lists[i].agreement)
            hf_socks_take_live_policy(socks, policy_of(lists[i].agreement));
        if (lists[i].stays)
            check_echo(fd);
        else
            g_assert_false(read_exactly(fd, &byte, 1));
        close(fd);
        hf_socks_free(socks);
    }
    echo_clear(&echo);
}

/* The end of it cuts what is open, and whoever has not said what it wants. */
static void test_its_end(void)
{
    Echo echo;
    guint8 byte;
    echo_init(&echo);
    HfSocks *socks = hf_socks_new(0, NULL);
    int open_one = connect_through(socks, echo.port), silent = reach(socks);
    g_assert_cmpint(send(silent, GREETING, 3, MSG_NOSIGNAL), ==, 3);
    guint8 welcome[2];
    g_assert_true(read_exactly(silent, welcome, 2));
    hf_socks_free(socks);
    g_assert_false(read_exactly(open_one, &byte, 1));
    g_assert_false(read_exactly(silent, &byte, 1));
    close(open_one);
    close(silent);
    echo_clear(&echo);
}

/* Whoever comes while no descriptor is left is turned away; the next one is served again. */
static void test_without_descriptors(void)
{
    Echo echo;
    struct rlimit limit, few;
    int held[128], count = 0;
    guint8 byte;
    echo_init(&echo);
    HfSocks *socks = hf_socks_new(0, NULL);
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_addr = {htonl(INADDR_LOOPBACK)},
                                  .sin_port = htons(hf_socks_get_port(socks))};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    g_assert_cmpint(getrlimit(RLIMIT_NOFILE, &limit), ==, 0);
    few = (struct rlimit){G_N_ELEMENTS(held), limit.rlim_max};
    g_assert_cmpint(setrlimit(RLIMIT_NOFILE, &few), ==, 0);
    while ((held[count] = dup(fd)) >= 0)
        count++;
    g_assert_cmpint(errno, ==, EMFILE);
    g_assert_cmpint(connect(fd, (struct sockaddr *)&address, sizeof address), ==, 0);
    g_assert_false(read_exactly(fd, &byte, 1));
    while (count > 0)
        close(held[--count]);
    g_assert_cmpint(setrlimit(RLIMIT_NOFILE, &limit), ==, 0);
    close(fd);
    fd = connect_through(socks, echo.port);
    check_echo(fd);
    close(fd);
    hf_socks_free(socks);
    echo_clear(&echo);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/socks/requests", test_requests);
    g_test_add_func("/socks/what-is-no-greeting", test_what_is_no_greeting);
    g_test_add_func("/socks/other-lists-cut", test_other_lists_cut);
    g_test_add_func("/socks/its-end", test_its_end);
    g_test_add_func("/socks/without-descriptors", test_without_descriptors);
    return g_test_run();
}
