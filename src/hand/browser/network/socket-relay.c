/* SPDX-License-Identifier: Apache-2.0 */
/* Two buffers and one poll: a side that does not read holds up what is meant for it and nothing
 * else. */
#include "hand/browser/network/socket-relay.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#define BUFFER_BYTES ((gsize)64 * 1024)

typedef struct Way {
    int from, to;
    gsize begin, end; /* of what waits in the buffer */
    gboolean ended;   /* nothing more comes */
    gboolean closed;  /* and the other side knows */
    char *buffer;
} Way;

static gboolean is_relay_alive(ssize_t count)
{
    return count >= 0 || errno == EAGAIN || errno == EINTR;
}

static gboolean fill_relay_buffer(Way *way)
{
    ssize_t count = read(way->from, way->buffer, BUFFER_BYTES);
    way->begin = 0;
    way->end = count > 0 ? (gsize)count : 0;
    way->ended |= count == 0;
    return is_relay_alive(count);
}

static gboolean drain_relay_buffer(Way *way)
{
    ssize_t count = send(way->to, way->buffer + way->begin, way->end - way->begin, MSG_NOSIGNAL);
    if (count > 0)
        way->begin += (gsize)count;
    return is_relay_alive(count);
}

static gboolean has_waiting(const Way *way)
{
    return way->begin < way->end;
}

/* What of the two descriptors matters to this way. */
static void set_poll_events(const Way *way, struct pollfd *from, struct pollfd *to)
{
    if (has_waiting(way))
        to->events |= POLLOUT;
    else if (!way->ended)
        from->events |= POLLIN;
}

static gboolean pump_relay(Way *way, const struct pollfd *from, const struct pollfd *to)
{
    if (!has_waiting(way) && !way->ended && from->revents && !fill_relay_buffer(way))
        return FALSE;
    if (has_waiting(way) && !drain_relay_buffer(way))
        return FALSE;
    if (way->ended && !has_waiting(way) && !way->closed) {
        way->closed = TRUE;
        shutdown(way->to, SHUT_WR);
    }
    return !(to->revents & (POLLERR | POLLNVAL));
}

void hf_socket_relay_run(int one, int other)
{
    g_autofree char *there = g_malloc(BUFFER_BYTES), *back = g_malloc(BUFFER_BYTES);
    Way ways[] = {{.from = one, .to = other, .buffer = there},
                  {.from = other, .to = one, .buffer = back}};
    fcntl(one, F_SETFL, fcntl(one, F_GETFL) | O_NONBLOCK);
    fcntl(other, F_SETFL, fcntl(other, F_GETFL) | O_NONBLOCK);
    while (!ways[0].closed || !ways[1].closed) {
        struct pollfd fds[] = {{one, 0, 0}, {other, 0, 0}};
        set_poll_events(&ways[0], &fds[0], &fds[1]);
        set_poll_events(&ways[1], &fds[1], &fds[0]);
        /* A descriptor that nothing is asked of would still wake us for its end, again and again.
         */
        for (int i = 0; i < 2; i++)
            if (!fds[i].events)
                fds[i].fd = -1;
        if (poll(fds, 2, -1) < 0 && errno != EINTR)
            return;
        if (!pump_relay(&ways[0], &fds[0], &fds[1]) || !pump_relay(&ways[1], &fds[1], &fds[0]))
            return;
    }
}

/* /proc lists both ends; the one that has our port as the remote is theirs. */
gboolean hf_socket_relay_is_own_user(int fd, guint16 port)
{
    struct sockaddr_in peer = {0};
    socklen_t size = sizeof peer;
    if (getpeername(fd, (struct sockaddr *)&peer, &size) != 0 || peer.sin_family != AF_INET)
        return FALSE;
    g_autofree char *text = NULL;
    if (!g_file_get_contents("/proc/net/tcp", &text, NULL, NULL))
        return FALSE;
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    for (char **line = lines; *line; line++) {
        unsigned here, here_port, there, there_port, uid;
        if (sscanf(*line, " %*d: %8X:%4X %8X:%4X %*2X %*8X:%*8X %*2X:%*8X %*8X %u", &here,
                   &here_port, &there, &there_port, &uid) == 5 &&
            here_port == ntohs(peer.sin_port) && there_port == port)
            return uid == geteuid();
    }
    return FALSE;
}
