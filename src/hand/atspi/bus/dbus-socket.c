/* SPDX-License-Identifier: Apache-2.0 */
/* Nothing here blocks except making oneself known, and that is limited by the deadline. */
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
    gsize sent, taken; /* of those */
};

/* ---- getting there ---- */

/* The value of a key in "unix:path=/tmp/x,guid=1"; NULL when it is not of that kind. */
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

/* Byte by byte, so that nothing of what follows is taken. */
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

/* "I am user 1000", as the socket itself confirms. */
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
    HfDbusSocket *wire = g_new0(HfDbusSocket, 1);
    wire->fd = fd;
    wire->out = g_byte_array_new();
    wire->in = g_byte_array_new();
    return wire;
}

void hf_dbus_socket_free(HfDbusSocket *wire)
{
    if (!wire)
        return;
    close(wire->fd);
    g_byte_array_unref(wire->out);
    g_byte_array_unref(wire->in);
    g_free(wire);
}

int hf_dbus_socket_get_fd(const HfDbusSocket *wire)
{
    return wire->fd;
}

gboolean hf_dbus_socket_is_open(HfDbusSocket *wire)
{
    char byte;
    if (!wire->dead && recv(wire->fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0)
        wire->dead = TRUE;
    return !wire->dead;
}

/* ---- asking and hearing ---- */

static void drop_passed_bytes(GByteArray *bytes, gsize *passed)
{
    g_byte_array_remove_range(bytes, 0, (guint)*passed);
    *passed = 0;
}

guint32 hf_dbus_socket_send(HfDbusSocket *wire, GByteArray *take_message)
{
    if (++wire->serial == 0)
        wire->serial = 1;
    hf_dbus_message_set_serial(take_message, wire->serial);
    g_byte_array_append(wire->out, take_message->data, take_message->len);
    g_byte_array_unref(take_message);
    return wire->serial;
}

gboolean hf_dbus_socket_flush(HfDbusSocket *wire)
{
    while (!wire->dead && wire->sent < wire->out->len) {
        gssize sent = send(wire->fd, wire->out->data + wire->sent, wire->out->len - wire->sent,
                           MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent < 0 && errno == EAGAIN)
            return TRUE;
        if (sent < 0 && errno != EINTR)
            wire->dead = TRUE;
        wire->sent += (gsize)MAX(sent, 0);
    }
    drop_passed_bytes(wire->out, &wire->sent);
    return FALSE;
}

void hf_dbus_socket_receive(HfDbusSocket *wire)
{
    drop_passed_bytes(wire->in, &wire->taken);
    guint before = wire->in->len;
    g_byte_array_set_size(wire->in, before + READ_BYTES);
    gssize got = recv(wire->fd, wire->in->data + before, READ_BYTES, MSG_DONTWAIT);
    gboolean later = got < 0 && (errno == EAGAIN || errno == EINTR);
    if (got == 0 || (got < 0 && !later))
        wire->dead = TRUE;
    g_byte_array_set_size(wire->in, before + (guint)MAX(got, 0));
}

gboolean hf_dbus_socket_next_reply(HfDbusSocket *wire, HfDbusReply *ret_answer)
{
    const guint8 *data = wire->in->data + wire->taken;
    gsize size = wire->in->len - wire->taken;
    gssize length = hf_dbus_message_measure(data, size);
    if (length == 0 || (length > 0 && (gsize)length > size))
        return FALSE;
    if (length < 0 || !hf_dbus_message_read(data, (gsize)length, ret_answer)) {
        wire->dead = TRUE;
        return FALSE;
    }
    wire->taken += (gsize)length;
    return TRUE;
}

/* ---- a bus ---- */

/* Waits until something has come in, or the time is over. */
static void wait_for_more(HfDbusSocket *wire, const HfDeadline *deadline)
{
    struct pollfd fd = {wire->fd, POLLIN, 0};
    fd.events |= hf_dbus_socket_flush(wire) ? POLLOUT : 0;
    if (poll(&fd, 1, (int)MAX(1, hf_deadline_left_ms(deadline))) > 0 && (fd.revents & ~POLLOUT))
        hf_dbus_socket_receive(wire);
}

/* A bus passes nothing on for those that have not greeted it. */
static gboolean say_hello(HfDbusSocket *wire, const HfDeadline *deadline)
{
    static const HfDbusCall hello = {"org.freedesktop.DBus", "/org/freedesktop/DBus",
                                     "org.freedesktop.DBus", "Hello"};
    guint32 serial = hf_dbus_socket_send(wire, hf_dbus_message_write(&hello, NULL));
    while (!wire->dead && hf_deadline_check(deadline, NULL)) {
        HfDbusReply answer;
        while (hf_dbus_socket_next_reply(wire, &answer))
            if (answer.serial == serial)
                return answer.signature != NULL;
        wait_for_more(wire, deadline);
    }
    return FALSE;
}

HfDbusSocket *hf_dbus_socket_join_bus(const char *address, const HfDeadline *deadline)
{
    g_autoptr(HfDbusSocket) wire = hf_dbus_socket_connect(address, deadline);
    return wire && say_hello(wire, deadline) ? g_steal_pointer(&wire) : NULL;
}
