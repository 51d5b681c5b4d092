/* SPDX-License-Identifier: Apache-2.0 */
/* Only connecting blocks, at most until the deadline. */
#include "hand/atspi/bus/dbus-socket.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define READ_BYTES (64 * 1024)
#define LINE_BYTES 256

struct HfDbusSocket {
    int fd;
    gboolean dead;
    guint32 serial;
    GByteArray *out, *in;
    gsize sent, taken; /* bytes of `out` and `in` */
};

/* ---- connecting ---- */

/* The value of a key in "unix:path=/tmp/x,guid=1"; NULL when the address is of another kind. */
static char *dup_value(const char *address, const char *prefix)
{
    if (!g_str_has_prefix(address, prefix))
        return NULL;
    const char *value = address + strlen(prefix);
    g_autofree char *escaped = g_strndup(value, strcspn(value, ",;"));
    return g_uri_unescape_string(escaped, NULL);
}

static gboolean fill_address(const char *text, struct sockaddr_un *ret_address, socklen_t *ret_size)
{
    g_autofree char *path = dup_value(text, "unix:path=");
    g_autofree char *abstract = path ? NULL : dup_value(text, "unix:abstract=");
    const char *name = path ? path : abstract;
    gsize length = name ? strlen(name) : 0;
    *ret_address = (struct sockaddr_un){.sun_family = AF_UNIX};
    if (length == 0 || length + 1 >= sizeof ret_address->sun_path)
        return FALSE;
    memcpy(ret_address->sun_path + (abstract != NULL), name, length);
    *ret_size = (socklen_t)(G_STRUCT_OFFSET(struct sockaddr_un, sun_path) + length + 1);
    return TRUE;
}

static int open_socket(const char *address)
{
    struct sockaddr_un to;
    socklen_t size;
    if (!fill_address(address, &to, &size))
        return -1;
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd >= 0 && connect(fd, (const struct sockaddr *)&to, size) == 0)
        return fd;
    if (fd >= 0)
        close(fd);
    return -1;
}

static gboolean send_auth_text(int fd, const char *words, gsize length)
{
    return send(fd, words, length, MSG_NOSIGNAL) == (gssize)length;
}

/* Byte by byte, so as not to read beyond the line. */
static gboolean read_auth_line(int fd, char *line, const HfDeadline *deadline)
{
    gsize length = 0;
    while (length < LINE_BYTES - 1 && !hf_deadline_passed(deadline)) {
        struct pollfd poll_fd = {fd, POLLIN, 0};
        if (poll(&poll_fd, 1, (int)hf_deadline_left_ms(deadline)) <= 0)
            continue;
        if (recv(fd, line + length, 1, 0) != 1)
            return FALSE;
        line[++length] = 0;
        if (g_str_has_suffix(line, "\r\n"))
            return TRUE;
    }
    return FALSE;
}

/* Claims our user id, which the socket itself confirms. */
static gboolean authenticate_external(int fd, const HfDeadline *deadline)
{
    char line[LINE_BYTES] = "", user[16], words[64];
    g_snprintf(user, sizeof user, "%u", (unsigned)geteuid());
    gsize length = 1 + (gsize)g_snprintf(words + 1, sizeof words - 1, "AUTH EXTERNAL ");
    words[0] = 0;
    for (const char *digit = user; *digit; digit++)
        length += (gsize)g_snprintf(words + length, sizeof words - length, "%02x", *digit);
    length += (gsize)g_snprintf(words + length, sizeof words - length, "\r\n");
    return send_auth_text(fd, words, length) && read_auth_line(fd, line, deadline) &&
           g_str_has_prefix(line, "OK ") && send_auth_text(fd, "BEGIN\r\n", strlen("BEGIN\r\n"));
}

HfDbusSocket *hf_dbus_socket_connect(const char *address, const HfDeadline *deadline)
{
    int fd = open_socket(address);
    if (fd < 0)
        return NULL;
    if (!authenticate_external(fd, deadline)) {
        close(fd);
        return NULL;
    }
    HfDbusSocket *socket = g_new0(HfDbusSocket, 1);
    socket->fd = fd;
    socket->out = g_byte_array_new();
    socket->in = g_byte_array_new();
    return socket;
}

void hf_dbus_socket_free(HfDbusSocket *socket)
{
    if (!socket)
        return;
    close(socket->fd);
    g_byte_array_unref(socket->out);
    g_byte_array_unref(socket->in);
    g_free(socket);
}

int hf_dbus_socket_get_fd(const HfDbusSocket *socket)
{
    return socket->fd;
}

gboolean hf_dbus_socket_is_open(HfDbusSocket *socket)
{
    char byte;
    if (!socket->dead && recv(socket->fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0)
        socket->dead = TRUE;
    return !socket->dead;
}

/* ---- sending and receiving ---- */

static void drop_passed_bytes(GByteArray *bytes, gsize *passed)
{
    g_byte_array_remove_range(bytes, 0, (guint)*passed);
    *passed = 0;
}

guint32 hf_dbus_socket_send(HfDbusSocket *socket, GByteArray *take_message)
{
    if (++socket->serial == 0)
        socket->serial = 1;
    hf_dbus_message_set_serial(take_message, socket->serial);
    g_byte_array_append(socket->out, take_message->data, take_message->len);
    g_byte_array_unref(take_message);
    return socket->serial;
}

gboolean hf_dbus_socket_flush(HfDbusSocket *socket)
{
    while (!socket->dead && socket->sent < socket->out->len) {
        gssize sent = send(socket->fd, socket->out->data + socket->sent,
                           socket->out->len - socket->sent, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent < 0 && errno == EAGAIN)
            return TRUE;
        if (sent < 0 && errno != EINTR)
            socket->dead = TRUE;
        socket->sent += (gsize)MAX(sent, 0);
    }
    drop_passed_bytes(socket->out, &socket->sent);
    return FALSE;
}

void hf_dbus_socket_receive(HfDbusSocket *socket)
{
    drop_passed_bytes(socket->in, &socket->taken);
    guint before = socket->in->len;
    g_byte_array_set_size(socket->in, before + READ_BYTES);
    gssize got = recv(socket->fd, socket->in->data + before, READ_BYTES, MSG_DONTWAIT);
    gboolean later = got < 0 && (errno == EAGAIN || errno == EINTR);
    if (got == 0 || (got < 0 && !later))
        socket->dead = TRUE;
    g_byte_array_set_size(socket->in, before + (guint)MAX(got, 0));
}

gboolean hf_dbus_socket_next_reply(HfDbusSocket *socket, HfDbusReply *ret_answer)
{
    const guint8 *data = socket->in->data + socket->taken;
    gsize size = socket->in->len - socket->taken;
    gssize length = hf_dbus_message_measure(data, size);
    if (length == 0 || (length > 0 && (gsize)length > size))
        return FALSE;
    if (length < 0 || !hf_dbus_message_read(data, (gsize)length, ret_answer)) {
        socket->dead = TRUE;
        return FALSE;
    }
    socket->taken += (gsize)length;
    return TRUE;
}

/* ---- joining a bus ---- */

/* Waits until bytes arrive, or the time is over. */
static void wait_for_more(HfDbusSocket *socket, const HfDeadline *deadline)
{
    struct pollfd fd = {socket->fd, POLLIN, 0};
    fd.events |= hf_dbus_socket_flush(socket) ? POLLOUT : 0;
    if (poll(&fd, 1, (int)MAX(1, hf_deadline_left_ms(deadline))) > 0 && (fd.revents & ~POLLOUT))
        hf_dbus_socket_receive(socket);
}

/* A bus forwards nothing for a peer that has not said Hello. */
static gboolean say_hello(HfDbusSocket *socket, const HfDeadline *deadline)
{
    static const HfDbusCall hello = {"org.freedesktop.DBus", "/org/freedesktop/DBus",
                                     "org.freedesktop.DBus", "Hello"};
    guint32 serial = hf_dbus_socket_send(socket, hf_dbus_message_write(&hello, NULL));
    while (!socket->dead && hf_deadline_check(deadline, NULL)) {
        HfDbusReply answer;
        while (hf_dbus_socket_next_reply(socket, &answer))
            if (answer.serial == serial)
                return answer.signature != NULL;
        wait_for_more(socket, deadline);
    }
    return FALSE;
}

HfDbusSocket *hf_dbus_socket_join_bus(const char *address, const HfDeadline *deadline)
{
    g_autoptr(HfDbusSocket) socket = hf_dbus_socket_connect(address, deadline);
    return socket && say_hello(socket, deadline) ? g_steal_pointer(&socket) : NULL;
}
