/* SPDX-License-Identifier: Apache-2.0 */
/* Two buffers, one poll(): a side that does not read only delays its own data. */
#include "shared/network/relay.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#define BUFFER_BYTES ((gsize)64 * 1024)

typedef struct Direction {
    int from, to;
    const HfRelay *filter; /* NULL: everything passes */
    gsize begin, end;      /* of the data in the buffer */
    gboolean ended;        /* no more data comes */
    gboolean closed;       /* and the other side knows */
    gboolean surplus;      /* more came than may pass */
    char *buffer;
} Direction;

static gboolean is_relay_alive(ssize_t count)
{
    return count >= 0 || errno == EAGAIN || errno == EINTR;
}

static gboolean fill_relay_buffer(Direction *direction)
{
    ssize_t count = read(direction->from, direction->buffer, BUFFER_BYTES);
    const HfRelay *filter = direction->filter;
    direction->begin = 0;
    direction->end = count > 0 ? (gsize)count : 0;
    direction->ended |= count == 0;
    if (count > 0 && filter) {
        direction->end = filter->admit(direction->buffer, (gsize)count, filter->data);
        direction->surplus = direction->end < (gsize)count;
        direction->ended |= direction->surplus;
    }
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

/* A server may take the end of a request for the end of the client, and not answer. */
static void end_direction(Direction *direction)
{
    direction->closed = TRUE;
    if (!direction->filter)
        shutdown(direction->to, SHUT_WR);
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
    if (direction->ended && !has_waiting(direction) && !direction->closed)
        end_direction(direction);
    return !(to->revents & (POLLERR | POLLNVAL));
}

static gboolean is_relay_over(const Direction *there, const Direction *back)
{
    return back->closed && (there->closed || there->filter);
}

void hf_relay_run(const HfRelay *relay)
{
    g_autofree char *requests = g_malloc(BUFFER_BYTES), *answers = g_malloc(BUFFER_BYTES);
    Direction there = {.from = relay->client,
                       .to = relay->server,
                       .filter = relay->admit ? relay : NULL,
                       .buffer = requests};
    Direction back = {.from = relay->server, .to = relay->client, .buffer = answers};
    fcntl(relay->client, F_SETFL, fcntl(relay->client, F_GETFL) | O_NONBLOCK);
    fcntl(relay->server, F_SETFL, fcntl(relay->server, F_GETFL) | O_NONBLOCK);
    while (!is_relay_over(&there, &back)) {
        struct pollfd fds[] = {{relay->client, 0, 0}, {relay->server, 0, 0}};
        set_poll_events(&there, &fds[0], &fds[1]);
        set_poll_events(&back, &fds[1], &fds[0]);
        /* poll() would report the end of an idle descriptor again and again. */
        for (int i = 0; i < 2; i++)
            if (!fds[i].events)
                fds[i].fd = -1;
        int count = poll(fds, 2, there.surplus ? relay->surplus_ms : relay->idle_ms);
        if (count == 0 || (count < 0 && errno != EINTR))
            return;
        if (count > 0 &&
            (!pump_relay(&there, &fds[0], &fds[1]) || !pump_relay(&back, &fds[1], &fds[0])))
            return;
    }
}
