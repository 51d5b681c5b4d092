/* SPDX-License-Identifier: Apache-2.0 */
/* Both sides of a SOCKS 5 handshake, on a blocking descriptor. */
#include "shared/network/socks.h"

#include <errno.h>
#include <gio/gio.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "shared/network/network-limits.h"

enum { VERSION = 5, CONNECT = 1, IS_IPV4 = 1, IS_NAME = 3, IS_IPV6 = 4 };

static gboolean read_exactly(int fd, guint8 *bytes, gsize count, int limit_ms)
{
    gint64 until = g_get_monotonic_time() + limit_ms * (gint64)1000;
    while (count > 0) {
        struct pollfd ready = {fd, POLLIN, 0};
        gint64 left_ms = (until - g_get_monotonic_time()) / 1000;
        ssize_t got =
            left_ms > 0 && poll(&ready, 1, (int)left_ms) > 0 ? read(fd, bytes, count) : -1;
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return FALSE;
        bytes += got;
        count -= (gsize)got;
    }
    return TRUE;
}

static gboolean read_greeting(int fd, guint8 *bytes, gsize count)
{
    return read_exactly(fd, bytes, count, HF_LIMIT_PROXY_GREETING_MS);
}

static gboolean send_bytes(int fd, const guint8 *bytes, gsize count)
{
    return send(fd, bytes, count, MSG_NOSIGNAL) == (ssize_t)count;
}

/* Version, number of methods, methods. */
gboolean hf_socks_greet(int fd)
{
    guint8 head[2], methods[255];
    return read_greeting(fd, head, 2) && head[0] == VERSION &&
           read_greeting(fd, methods, head[1]) && send_bytes(fd, (const guint8[]){VERSION, 0}, 2);
}

static char *read_socks_host(int fd)
{
    guint8 length, bytes[256];
    if (!read_greeting(fd, &length, 1) || length == 0 || !read_greeting(fd, bytes, length) ||
        memchr(bytes, 0, length))
        return NULL;
    return g_strndup((const char *)bytes, length);
}

static char *read_socks_address(int fd, GSocketFamily family)
{
    guint8 bytes[16];
    if (!read_greeting(fd, bytes, family == G_SOCKET_FAMILY_IPV4 ? 4 : 16))
        return NULL;
    g_autoptr(GInetAddress) address = g_inet_address_new_from_bytes(bytes, family);
    return g_inet_address_to_string(address);
}

/* Version, command, reserved, kind of address, address, port. */
gboolean hf_socks_read_request(int fd, char **ret_host, guint16 *ret_port)
{
    guint8 head[4], port[2];
    if (!read_greeting(fd, head, 4) || head[0] != VERSION || head[1] != CONNECT)
        return FALSE;
    g_autofree char *host = head[3] == IS_NAME   ? read_socks_host(fd)
                            : head[3] == IS_IPV4 ? read_socks_address(fd, G_SOCKET_FAMILY_IPV4)
                            : head[3] == IS_IPV6 ? read_socks_address(fd, G_SOCKET_FAMILY_IPV6)
                                                 : NULL;
    if (!host || !read_greeting(fd, port, 2))
        return FALSE;
    *ret_host = g_steal_pointer(&host);
    *ret_port = (guint16)(port[0] << 8 | port[1]);
    return TRUE;
}

void hf_socks_send_reply(int fd, HfSocksReply code)
{
    const guint8 answer[] = {VERSION, (guint8)code, 0, IS_IPV4, 0, 0, 0, 0, 0, 0};
    send_bytes(fd, answer, sizeof answer);
}

/* The address from which the proxy has connected; nobody needs it. */
static gboolean skip_bound_address(int fd, guint8 kind)
{
    guint8 length = kind == IS_IPV4 ? 4 : 16, bytes[256 + 2];
    if (kind == IS_NAME && !read_greeting(fd, &length, 1))
        return FALSE;
    return read_greeting(fd, bytes, length + (gsize)2);
}

gboolean hf_socks_ask(int fd, const char *host, guint16 port, HfSocksReply *ret_reply)
{
    gsize length = strlen(host);
    guint8 welcome[2], reply[4];
    guint8 request[4 + 1 + 255 + 2] = {VERSION, CONNECT, 0, IS_NAME, (guint8)length};
    if (length == 0 || length > 255)
        return FALSE;
    memcpy(request + 5, host, length);
    request[5 + length] = (guint8)(port >> 8);
    request[6 + length] = (guint8)port;
    if (!send_bytes(fd, (const guint8[]){VERSION, 1, 0}, 3) || !read_greeting(fd, welcome, 2) ||
        welcome[0] != VERSION || welcome[1] != 0 || !send_bytes(fd, request, length + 7) ||
        !read_exactly(fd, reply, sizeof reply, HF_LIMIT_PROXY_REPLY_MS) || reply[0] != VERSION ||
        !skip_bound_address(fd, reply[3]))
        return FALSE;
    *ret_reply = (HfSocksReply)reply[1];
    return TRUE;
}
