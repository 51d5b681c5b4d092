/* SPDX-License-Identifier: Apache-2.0 */
/* Two buffers, one poll(): a side that does not read only delays its own data. */
#include "hand/browser/network/socket-relay.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#define BUFFER_BYTES ((gsize)64 * 1024)

typedef struct Direction {
    int from, to;
    gsize begin, end; /* of the data in the buffer */
    gboolean ended;   /* no more data comes */
    gboolean closed;  /* and the other side knows */
    char *buffer;
} Direction;

static gboolean is_relay_alive(ssize_t count)
{
    return count >= 0 || errno == EAGAIN || errno == EINTR;
}

static gboolean fill_relay_buffer(Direction *direction)
{
    ssize_t count = read(direction->from, direction->buffer, BUFFER_BYTES);
    direction->begin = 0;
    direction->end = count > 0 ? (gsize)count : 0;
    direction->ended |= count == 0;
    return is_relay_alive(count);
}

static gboolean has_waiting(const Direction *direction)
{
    return direction->begin < direction->end;
}

/* Which events matter to this direction. */
static void set_poll_events(const Direction *direction, struct pollfd *from, struct pollfd *to)
{
    if (has_waiting(direction))
        to->events |= POLLOUT;
    else if (!direction->ended)
        from->events |= POLLIN;
}

static gboolean pump_relay(Direction *direction, const struct pollfd *from, const struct pollfd *to)
{
    if (!has_waiting(direction) && !direction->ended && from->revents &&
        !fill_relay_buffer(direction))
        return FALSE;
    if (has_waiting(direction)) {
        ssize_t count = send(direction->to, direction->buffer + direction->begin,
                             direction->end - direction->begin, MSG_NOSIGNAL);
        direction->begin += (gsize)MAX(count, 0);
        if (!is_relay_alive(count))
            return FALSE;
    }
    if (direction->ended && !has_waiting(direction) && !direction->closed) {
        direction->closed = TRUE;
        shutdown(direction->to, SHUT_WR);
    }
    return !(to->revents & (POLLERR | POLLNVAL));
}

void hf_socket_relay_run(int one, int other)
{
    g_autofree char *there = g_malloc(BUFFER_BYTES), *back = g_malloc(BUFFER_BYTES);
    Direction directions[] = {{.from = one, .to = other, .buffer = there},
                              {.from = other, .to = one, .buffer = back}};
    fcntl(one, F_SETFL, fcntl(one, F_GETFL) | O_NONBLOCK);
    fcntl(other, F_SETFL, fcntl(other, F_GETFL) | O_NONBLOCK);
    while (!directions[0].closed || !directions[1].closed) {
        struct pollfd fds[] = {{one, 0, 0}, {other, 0, 0}};
        set_poll_events(&directions[0], &fds[0], &fds[1]);
        set_poll_events(&directions[1], &fds[1], &fds[0]);
        /* poll() would report the end of an idle descriptor again and again. */
        for (int i = 0; i < 2; i++)
            if (!fds[i].events)
                fds[i].fd = -1;
        if (poll(fds, 2, -1) < 0 && errno != EINTR)
            return;
        if (!pump_relay(&directions[0], &fds[0], &fds[1]) ||
            !pump_relay(&directions[1], &fds[1], &fds[0]))
            return;
    }
}

/* /proc/net/tcp lists both ends; the peer's has our port as the remote one. */
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
