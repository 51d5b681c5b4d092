/* SPDX-License-Identifier: Apache-2.0 */
/* Three ways, best first, and more than one where an input method has a part in it. A ping
 * (_NET_WM_PING) travels in the program's own event stream behind the keys, so its answer proves
 * them read. Where a program answers no pings, its process is looked at until it has nothing left
 * to read and sleeps (client-process.c). Where that cannot be seen either, time has to do. */
#include "hand/x11/input/input-barrier.h"

#include <stdlib.h>
#include <string.h>

#include "hand/x11/input/client-process.h"
#include "hand/x11/input/input-method.h"
#include "shared/base/error.h"

/* After this long without an answer it is asked whether one will ever come. */
#define PING_PATIENCE_MS 400
/* A program that never comes to rest (it plays a film) has read its keys after this long without
 * anything in its queue. */
#define RESTLESS_MS 2000
/* One that has answered a ping behind them has dealt with them after this long as well, if its
 * first thread then waits for more. */
#define RESTLESS_IDLE_MS 300
/* A program at rest for this long, under a server that never is, has nothing left to read. */
#define QUIET_MS 100
/* Nothing can be known about the program. */
#define BLIND_MS         300
#define LOOK_INTERVAL_US 500

/* Programs send their answers to the root for one of these: GTK for the second, Qt for the first.
 */
#define PING_ANSWER_EVENTS (XCB_EVENT_MASK_STRUCTURE_NOTIFY | XCB_EVENT_MASK_SUBSTRUCTURE_NOTIFY)

struct HfX11Barrier {
    HfX11Connection *connection;
    HfX11Focus focus;
    gboolean pings;
    gboolean selected;      /* the root's events */
    guint32 sent, answered; /* numbers of pings */
    gboolean looked_for;    /* `client` and `server`, when first needed */
    HfX11Client *client;    /* NULL when it cannot be known */
    GPtrArray *helpers;     /* of HfX11Client: input methods that keys pass through */
    HfX11Client *server;    /* NULL when it cannot be seen */
};

static gboolean answers_pings(HfX11Connection *connection, const HfX11Focus *focus)
{
    guint32 owner = ~xcb_get_setup(connection->xcb)->resource_id_mask;
    if ((focus->window & owner) != (focus->toplevel & owner))
        return FALSE; /* an embedded program: the toplevel's answer says nothing about it */
    gsize count;
    g_autofree guint32 *protocols =
        hf_x11_dup_property32(connection, focus->toplevel, "WM_PROTOCOLS", XCB_ATOM_ATOM, &count);
    xcb_atom_t ping = hf_x11_atom(connection, "_NET_WM_PING");
    for (gsize i = 0; i < count; i++)
        if (protocols[i] == ping)
            return TRUE;
    return FALSE;
}

static void select_root_events(HfX11Connection *connection, guint32 mask)
{
    xcb_change_window_attributes(connection->xcb, connection->root, XCB_CW_EVENT_MASK, &mask);
}

static GPtrArray *find_input_methods(HfX11Connection *connection)
{
    GPtrArray *helpers = g_ptr_array_new_with_free_func((GDestroyNotify)hf_x11_client_free);
    g_autoptr(GArray) windows = hf_x11_input_methods_dup_windows(connection);
    for (guint i = 0; i < windows->len; i++) {
        HfX11Client *helper =
            hf_x11_client_find(connection, g_array_index(windows, xcb_window_t, i));
        if (helper)
            g_ptr_array_add(helpers, helper);
    }
    return helpers;
}

HfX11Barrier *hf_x11_barrier_new(HfX11Connection *connection, const HfX11Focus *focus)
{
    HfX11Barrier *barrier = g_new0(HfX11Barrier, 1);
    barrier->connection = connection;
    barrier->focus = *focus;
    barrier->pings = answers_pings(connection, focus);
    barrier->sent = barrier->answered = g_random_int() & 0x3fffffff;
    barrier->helpers = find_input_methods(connection);
    barrier->selected = barrier->pings;
    if (barrier->selected)
        select_root_events(connection, PING_ANSWER_EVENTS);
    return barrier;
}

void hf_x11_barrier_free(HfX11Barrier *barrier)
{
    if (!barrier)
        return;
    xcb_connection_t *xcb = barrier->connection->xcb;
    if (barrier->selected) {
        select_root_events(barrier->connection, XCB_EVENT_MASK_NO_EVENT);
        hf_x11_sync(barrier->connection, NULL);
    }
    for (xcb_generic_event_t *event = xcb_poll_for_event(xcb); event;
         event = xcb_poll_for_event(xcb))
        free(event);
    hf_x11_client_free(barrier->client);
    hf_x11_client_free(barrier->server);
    g_ptr_array_unref(barrier->helpers);
    g_free(barrier);
}

guint32 hf_x11_barrier_mark(HfX11Barrier *barrier)
{
    barrier->sent++;
    if (barrier->pings) {
        xcb_client_message_event_t ping = {
            .response_type = XCB_CLIENT_MESSAGE,
            .format = 32,
            .window = barrier->focus.toplevel,
            .type = hf_x11_atom(barrier->connection, "WM_PROTOCOLS"),
            .data.data32 = {hf_x11_atom(barrier->connection, "_NET_WM_PING"), barrier->sent,
                            barrier->focus.toplevel},
        };
        xcb_send_event(barrier->connection->xcb, 0, barrier->focus.toplevel, 0,
                       (const char *)&ping);
    }
    xcb_flush(barrier->connection->xcb);
    return barrier->sent;
}

static void read_answers(HfX11Barrier *barrier)
{
    xcb_atom_t protocols = hf_x11_atom(barrier->connection, "WM_PROTOCOLS");
    xcb_atom_t ping = hf_x11_atom(barrier->connection, "_NET_WM_PING");
    for (xcb_generic_event_t *event = xcb_poll_for_event(barrier->connection->xcb); event;
         event = xcb_poll_for_event(barrier->connection->xcb)) {
        const xcb_client_message_event_t *message = (gpointer)event;
        if ((event->response_type & 0x7f) == XCB_CLIENT_MESSAGE && message->type == protocols &&
            message->format == 32 && message->data.data32[0] == ping &&
            message->data.data32[2] == barrier->focus.toplevel &&
            message->data.data32[1] - barrier->answered <= barrier->sent - barrier->answered)
            barrier->answered = message->data.data32[1];
        free(event);
    }
}

static gboolean is_ping_answered(const HfX11Barrier *barrier, guint32 mark)
{
    return barrier->sent - barrier->answered <= barrier->sent - mark;
}

static gboolean fail_unread(const HfDeadline *deadline, GError **error)
{
    return hf_deadline_check(deadline, error) &&
           hf_fail(error, HF_ERROR_DESKTOP_TIMEOUT, "the program does not read its keys");
}

/* TRUE when answered, or when the patience ended without an answer: ask `is_answered`. */
static gboolean wait_for_ping(HfX11Barrier *barrier, guint32 mark, const HfDeadline *deadline,
                              GError **error)
{
    HfDeadline patience = hf_deadline_within_ms(deadline, PING_PATIENCE_MS);
    int fd = xcb_get_file_descriptor(barrier->connection->xcb);
    for (;;) {
        read_answers(barrier);
        if (is_ping_answered(barrier, mark))
            return TRUE;
        if (!hf_x11_check(barrier->connection, error))
            return FALSE;
        if (!hf_deadline_wait_readable(&patience, fd, NULL))
            return hf_deadline_check(deadline, NULL) || fail_unread(deadline, error);
    }
}

static gboolean window_exists(HfX11Connection *connection, xcb_window_t window)
{
    xcb_get_geometry_reply_t *reply =
        xcb_get_geometry_reply(connection->xcb, xcb_get_geometry(connection->xcb, window), NULL);
    gboolean exists = reply != NULL;
    free(reply);
    return exists;
}

/* Two round trips: the first one's answer may overtake what the server still has to write to the
 * program, the second one's cannot. */
static gboolean settle_server(HfX11Barrier *barrier, GError **error)
{
    return hf_x11_sync(barrier->connection, error) && hf_x11_sync(barrier->connection, error);
}

/* The program and what its keys pass through, seen as one. */
static HfX11ClientView observe_clients(HfX11Barrier *barrier)
{
    HfX11ClientView all = hf_x11_client_observe(barrier->client);
    for (guint i = 0; i < barrier->helpers->len; i++) {
        HfX11ClientView helper = hf_x11_client_observe(g_ptr_array_index(barrier->helpers, i));
        if (helper.gone)
            continue;
        all.drained &= helper.drained;
        all.asleep &= helper.asleep;
        all.wake_ups += helper.wake_ups;
    }
    return all;
}

/* Whether the program stays as it is until the server has come to rest as well: as long as the
 * server works, it may still have a question of the program's to answer, read from its socket but
 * not yet its turn. Where the server is never seen at rest, time has to do. */
static gboolean stays_at_rest(HfX11Barrier *barrier, HfX11ClientView before,
                              const HfDeadline *deadline)
{
    HfDeadline patience = hf_deadline_within_ms(deadline, QUIET_MS);
    for (;;) {
        gboolean settled = barrier->server && hf_x11_client_observe(barrier->server).asleep;
        HfX11ClientView now = observe_clients(barrier);
        if (!now.drained || !now.asleep || now.wake_ups != before.wake_ups)
            return FALSE;
        if (settled || !hf_deadline_pause(&patience, LOOK_INTERVAL_US, NULL))
            return TRUE;
    }
}

static gboolean wait_for_rest(HfX11Barrier *barrier, gboolean answered, const HfDeadline *deadline,
                              GError **error)
{
    gint64 empty_since = g_get_monotonic_time();
    for (;;) {
        if (!settle_server(barrier, error))
            return FALSE;
        HfX11ClientView now = observe_clients(barrier);
        if (now.gone || (now.drained && now.asleep && stays_at_rest(barrier, now, deadline)))
            return TRUE;
        if (!now.drained)
            empty_since = g_get_monotonic_time();
        gint64 patience_ms = answered && now.idle ? RESTLESS_IDLE_MS : RESTLESS_MS;
        if (g_get_monotonic_time() - empty_since > patience_ms * 1000)
            return TRUE;
        if (!hf_deadline_pause(deadline, LOOK_INTERVAL_US, NULL))
            return fail_unread(deadline, error);
    }
}

static void find_focused_client(HfX11Barrier *barrier)
{
    if (barrier->looked_for)
        return;
    barrier->looked_for = TRUE;
    barrier->client = hf_x11_client_find(barrier->connection, barrier->focus.window);
    barrier->server = hf_x11_client_find_server(barrier->connection);
}

static gboolean wait_without_pings(HfX11Barrier *barrier, const HfDeadline *deadline,
                                   GError **error)
{
    find_focused_client(barrier);
    if (barrier->client)
        return wait_for_rest(barrier, FALSE, deadline, error);
    if (!settle_server(barrier, error))
        return FALSE;
    return hf_deadline_pause(deadline, BLIND_MS * 1000, NULL) || fail_unread(deadline, error);
}

/* No answer for a while: a busy program is waited for; one that is gone, or sleeps although the
 * ping is in its queue, will never answer. */
static gboolean will_answer(HfX11Barrier *barrier)
{
    if (!window_exists(barrier->connection, barrier->focus.toplevel))
        return FALSE;
    find_focused_client(barrier);
    if (!barrier->client)
        return TRUE;
    HfX11ClientView view = hf_x11_client_observe(barrier->client);
    return !view.gone && !(view.drained && view.asleep);
}

gboolean hf_x11_barrier_wait(HfX11Barrier *barrier, guint32 mark, const HfDeadline *deadline,
                             GError **error)
{
    while (barrier->pings) {
        if (!wait_for_ping(barrier, mark, deadline, error))
            return FALSE;
        if (is_ping_answered(barrier, mark))
            return barrier->helpers->len == 0 || wait_without_pings(barrier, deadline, error);
        barrier->pings = will_answer(barrier);
    }
    return wait_without_pings(barrier, deadline, error);
}

gboolean hf_x11_barrier_wait_until_done(HfX11Barrier *barrier, const HfDeadline *deadline,
                                        GError **error)
{
    if (!hf_x11_barrier_wait(barrier, hf_x11_barrier_mark(barrier), deadline, error))
        return FALSE;
    find_focused_client(barrier);
    if (!barrier->pings) /* it was seen at rest, or nothing can be seen of it */
        return TRUE;
    if (barrier->client)
        return wait_for_rest(barrier, TRUE, deadline, error);
    return hf_deadline_pause(deadline, BLIND_MS * 1000, NULL) || fail_unread(deadline, error);
}

/* The first ping answered: the program has read that the map changed, and what it asked before it
 * answered has been answered too. The second one travels behind that answer. One with several
 * connections (Chromium has GTK's beside its own) may learn of the change on another, so it has to
 * come to rest besides. Programs without pings are plain ones, which ask when they look a key up.
 */
gboolean hf_x11_barrier_wait_for_map(HfX11Barrier *barrier, const HfDeadline *deadline,
                                     GError **error)
{
    if (!barrier->pings)
        return TRUE;
    for (int i = 0; i < 2; i++)
        if (!hf_x11_barrier_wait(barrier, hf_x11_barrier_mark(barrier), deadline, error))
            return FALSE;
    find_focused_client(barrier);
    return !barrier->client || hf_x11_client_count_connections(barrier->client) < 2 ||
           wait_for_rest(barrier, FALSE, deadline, error);
}
