/* A socket that is closed while bytes are waiting in it resets the connection, and the client never
 * sees the answer. So what still comes is read and thrown away for a moment. */
#include <errno.h>
#include <glib-unix.h>
#include <sys/socket.h>

#include "front/http/http-parts.h"

#define LINGER_MS    2000
#define LINGER_BYTES (4 * 1024 * 1024)

typedef struct Linger {
    GIOStream *stream;
    HfHttpConnection *connection;
    gsize bytes;
} Linger;

static void linger_free(gpointer data)
{
    Linger *linger = data;
    g_object_unref(linger->stream);
    hf_http_connection_unref(linger->connection);
    g_free(linger);
}

static gboolean on_readable(gint fd, GIOCondition condition, gpointer data)
{
    static char waste[65536]; /* main thread only */
    Linger *linger = data;
    ssize_t got = recv(fd, waste, sizeof waste, MSG_DONTWAIT);
    if (got < 0)
        return errno == EAGAIN || errno == EINTR;
    linger->bytes += (gsize)got;
    return got > 0 && linger->bytes < LINGER_BYTES;
}

void hf_http_linger(GIOStream *take_stream, HfHttpConnection *connection)
{
    Linger *linger = g_new0(Linger, 1);
    int fd = hf_http_connection_get_fd(connection);
    linger->stream = take_stream;
    linger->connection = hf_http_connection_ref(connection);
    shutdown(fd, SHUT_WR);
    hf_http_connection_expect(connection, LINGER_MS);
    g_unix_fd_add_full(G_PRIORITY_LOW, fd, G_IO_IN | G_IO_HUP | G_IO_ERR, on_readable, linger,
                       linger_free);
}
