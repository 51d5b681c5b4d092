/* SPDX-License-Identifier: Apache-2.0 */
/* Reads exactly the bytes of the handshake: what follows belongs to the server. */
#include "hand/browser/network/socks-protocol.h"

#include <errno.h>
#include <gio/gio.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* Time limit for each part of the handshake. */
#define GREETING_MS 10000

enum { VERSION = 5, CONNECT = 1, IS_IPV4 = 1, IS_NAME = 3, IS_IPV6 = 4 };

static gboolean read_exactly(int fd, guint8 *bytes, gsize count)
{
    while (count > 0) {
        struct pollfd ready = {fd, POLLIN, 0};
        ssize_t got = poll(&ready, 1, GREETING_MS) > 0 ? read(fd, bytes, count) : -1;
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return FALSE;
        bytes += got;
        count -= (gsize)got;
    }
    return TRUE;
}

static gboolean send_bytes(int fd, const guint8 *bytes, gsize count)
{
    return send(fd, bytes, count, MSG_NOSIGNAL) == (ssize_t)count;
}

/* Version, number of methods, methods. */
gboolean hf_socks_greet(int fd)
{
    guint8 head[2], methods[255];
    return read_exactly(fd, head, 2) && head[0] == VERSION && read_exactly(fd, methods, head[1]) &&
           send_bytes(fd, (const guint8[]){VERSION, 0}, 2);
}

static char *read_socks_host(int fd)
{
    guint8 length, bytes[256];
    if (!read_exactly(fd, &length, 1) || length == 0 || !read_exactly(fd, bytes, length) ||
        memchr(bytes, 0, length))
        return NULL;
    return g_strndup((const char *)bytes, length);
}

static char *read_socks_address(int fd, GSocketFamily family)
{
    guint8 bytes[16];
    if (!read_exactly(fd, bytes, family == G_SOCKET_FAMILY_IPV4 ? 4 : 16))
        return NULL;
    g_autoptr(GInetAddress) address = g_inet_address_new_from_bytes(bytes, family);
    return g_inet_address_to_string(address);
}

/* Version, command, reserved, kind of address, address, port. */
gboolean hf_socks_read_request(int fd, char **ret_host, guint16 *ret_port)
{
    guint8 head[4], port[2];
    if (!read_exactly(fd, head, 4) || head[0] != VERSION || head[1] != CONNECT)
        return FALSE;
    g_autofree char *host = head[3] == IS_NAME   ? read_socks_host(fd)
                            : head[3] == IS_IPV4 ? read_socks_address(fd, G_SOCKET_FAMILY_IPV4)
                            : head[3] == IS_IPV6 ? read_socks_address(fd, G_SOCKET_FAMILY_IPV6)
                                                 : NULL;
    if (!host || !read_exactly(fd, port, 2))
        return FALSE;
    *ret_host = g_steal_pointer(&host);
    *ret_port = (guint16)(port[0] << 8 | port[1]);
    return TRUE;
}

void hf_socks_reply(int fd, HfSocksReply code)
{
    const guint8 answer[] = {VERSION, (guint8)code, 0, IS_IPV4, 0, 0, 0, 0, 0, 0};
    send_bytes(fd, answer, sizeof answer);
}
