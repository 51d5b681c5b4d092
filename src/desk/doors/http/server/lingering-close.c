/* SPDX-License-Identifier: Apache-2.0 */
/* Closing a socket with unread bytes resets the connection, and the client never sees the answer.
 * So the rest is read and discarded for a moment. libsoup must not read meanwhile: it would
 * continue as long as bytes arrive, and starve others. */
#include <errno.h>
#include <glib-unix.h>
#include <sys/socket.h>

#include "desk/doors/http/server/http-internal.h"

#define LINGER_MS    2000
#define LINGER_BYTES (4 * 1024 * 1024)

typedef struct Linger {
    HfHttp *http;
    SoupServerMessage *message;
    HfHttpConnection *connection;
    gsize bytes;
    gboolean ended; /* the client has sent everything */
} Linger;

/* libsoup now reads the end of the connection, and releases it. */
static void end_lingering(gpointer data)
{
    Linger *linger = data;
    if (linger->ended)
        hf_http_connection_drop(linger->connection);
    else
        hf_http_connection_abort(linger->connection);
    if (!linger->http->shut)
        soup_server_message_unpause(linger->message);
    g_object_unref(linger->message);
    hf_http_connection_unref(linger->connection);
    g_free(linger);
}

static gboolean discard_client_input(gint fd, GIOCondition condition, gpointer data)
{
    static char waste[65536]; /* main thread only */
    Linger *linger = data;
    ssize_t got = recv(fd, waste, sizeof waste, MSG_DONTWAIT);
    if (got < 0)
        return errno == EAGAIN || errno == EINTR;
    linger->ended = got == 0;
    linger->bytes += (gsize)got;
    return got > 0 && linger->bytes < LINGER_BYTES;
}

void hf_http_linger(HfHttp *http, SoupServerMessage *message, HfHttpConnection *connection)
{
    Linger *linger = g_new0(Linger, 1);
    int fd = hf_http_connection_get_fd(connection);
    linger->http = http;
    linger->message = g_object_ref(message);
    linger->connection = hf_http_connection_ref(connection);
    soup_server_message_pause(message);
    shutdown(fd, SHUT_WR);
    hf_http_connection_expect(connection, LINGER_MS);
    g_unix_fd_add_full(G_PRIORITY_LOW, fd, G_IO_IN | G_IO_HUP | G_IO_ERR, discard_client_input,
                       linger, end_lingering);
}
