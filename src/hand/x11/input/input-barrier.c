/* SPDX-License-Identifier: Apache-2.0 */
/* Waits until a program has read its keys, by the best of three methods, or by two of them where an
 * input method takes part:
 * 1. A ping (_NET_WM_PING) travels in the program's event stream behind the keys, so its answer
 *    proves that they were read.
 * 2. A program that answers no pings is observed from outside, as far as a user may see their own
 *    processes: the states of its threads in /proc, and the receive queues of its sockets through
 *    sock_diag. What cannot be seen counts as settled, and the wait takes longer instead.
 * 3. Where nothing can be observed, a fixed time must do. */
#include "hand/x11/input/input-barrier.h"

#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sock_diag.h>
#include <linux/unix_diag.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "hand/x11/windows/window-pid.h"
#include "shared/base/error.h"

/* Without an answer for this long, check whether one will ever come. */
#define PING_PATIENCE_MS 400
/* A program that never settles (it plays a film) has read its keys when its queue was empty for
 * this long. */
#define RESTLESS_MS 2000
/* The same for a program that has answered a ping behind the keys, and whose first thread waits for
 * more. */
#define RESTLESS_IDLE_MS 300
/* A program that is settled for this long has nothing left to read, even if the server is never
 * settled. */
#define QUIET_MS 100
/* For programs that cannot be observed. */
#define BLIND_MS         300
#define LOOK_INTERVAL_US 500

/* Programs address their answers to one of these masks of the root: Qt to the first, GTK to the
 * second. */
#define PING_ANSWER_EVENTS (XCB_EVENT_MASK_STRUCTURE_NOTIFY | XCB_EVENT_MASK_SUBSTRUCTURE_NOTIFY)

/* A process that is connected to the X server. */
typedef struct Client {
    int pid;
    int netlink;     /* -1: not available */
    GArray *sockets; /* of guint32: inodes of its connections to X servers, both ends of each */
} Client;

typedef struct ClientView {
    gboolean gone;    /* the process has ended */
    gboolean drained; /* nothing is on its way between the X server and the process */
    gboolean asleep;  /* no thread runs, and one of them waits for events */
    gboolean idle;    /* its first thread waits for events, whatever others do */
    guint64 wake_ups; /* grows whenever one of its threads ran */
} ClientView;

typedef struct SocketFacts {
    guint32 peer, queued;
    gboolean is_x_server; /* by its name */
} SocketFacts;

static void read_attribute(const struct rtattr *attribute, SocketFacts *facts)
{
    const void *data = RTA_DATA(attribute);
    gsize length = RTA_PAYLOAD(attribute);
    if (attribute->rta_type == UNIX_DIAG_PEER && length >= sizeof(guint32))
        memcpy(&facts->peer, data, sizeof facts->peer);
    else if (attribute->rta_type == UNIX_DIAG_RQLEN && length >= sizeof(struct unix_diag_rqlen))
        facts->queued = ((const struct unix_diag_rqlen *)data)->udiag_rqueue;
    else if (attribute->rta_type == UNIX_DIAG_NAME)
        facts->is_x_server = memmem(data, length, "/.X11-unix/X", strlen("/.X11-unix/X")) != NULL;
}

static gboolean query_socket(int netlink, guint32 inode, SocketFacts *ret_facts)
{
    struct {
        struct nlmsghdr head;
        struct unix_diag_req body;
    } request = {
        {.nlmsg_len = sizeof request,
         .nlmsg_type = SOCK_DIAG_BY_FAMILY,
         .nlmsg_flags = NLM_F_REQUEST},
        {.sdiag_family = AF_UNIX,
         .udiag_states = ~0u,
         .udiag_ino = inode,
         .udiag_show = UDIAG_SHOW_NAME | UDIAG_SHOW_PEER | UDIAG_SHOW_RQLEN,
         .udiag_cookie = {~0u, ~0u}},
    };
    union {
        struct nlmsghdr head;
        char bytes[4096];
    } reply;
    if (send(netlink, &request, sizeof request, 0) != (ssize_t)sizeof request)
        return FALSE;
    ssize_t length = recv(netlink, &reply, sizeof reply, 0);
    if (length <= 0 || !NLMSG_OK(&reply.head, (guint)length) ||
        reply.head.nlmsg_type != SOCK_DIAG_BY_FAMILY)
        return FALSE;
    *ret_facts = (SocketFacts){0};
    const struct unix_diag_msg *message = NLMSG_DATA(&reply.head);
    guint left = reply.head.nlmsg_len - (guint)NLMSG_LENGTH(sizeof *message);
    struct rtattr *attribute = (struct rtattr *)(gpointer)(message + 1);
    for (; RTA_OK(attribute, left); attribute = RTA_NEXT(attribute, left))
        read_attribute(attribute, ret_facts);
    return TRUE;
}

/* Both ends count: a request in the server's queue may be one that the program waits for. */
static void add_connection(Client *client, guint32 inode)
{
    SocketFacts facts, peer;
    if (query_socket(client->netlink, inode, &facts) && facts.peer &&
        query_socket(client->netlink, facts.peer, &peer) && peer.is_x_server) {
        g_array_append_val(client->sockets, inode);
        g_array_append_val(client->sockets, facts.peer);
    }
}

static void find_sockets(Client *client)
{
    g_autofree char *path = g_strdup_printf("/proc/%d/fd", client->pid);
    g_autoptr(GDir) directory = g_dir_open(path, 0, NULL);
    for (const char *name = directory ? g_dir_read_name(directory) : NULL; name;
         name = g_dir_read_name(directory)) {
        g_autofree char *link = g_build_filename(path, name, NULL);
        g_autofree char *target = g_file_read_link(link, NULL);
        guint32 inode = 0;
        if (target && g_str_has_prefix(target, "socket:["))
            inode = (guint32)g_ascii_strtoull(target + strlen("socket:["), NULL, 10);
        if (inode)
            add_connection(client, inode);
    }
}

/* NULL for an unknown process. */
static Client *client_new(int pid)
{
    if (pid <= 0)
        return NULL;
    Client *client = g_new0(Client, 1);
    client->pid = pid;
    client->netlink = -1;
    client->sockets = g_array_new(FALSE, FALSE, sizeof(guint32));
    return client;
}

/* The process behind a window; NULL for one of another machine or user. */
static Client *find_client(HfX11Connection *connection, xcb_window_t window)
{
    Client *client = client_new(hf_x11_pid_of(connection, window));
    if (!client)
        return NULL;
    client->netlink = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
    if (client->netlink >= 0)
        find_sockets(client);
    return client;
}

static void client_free(Client *client)
{
    if (!client)
        return;
    if (client->netlink >= 0)
        close(client->netlink);
    g_array_unref(client->sockets);
    g_free(client);
}

static gboolean is_drained(Client *client)
{
    for (guint i = 0; i < client->sockets->len; i++) {
        SocketFacts facts;
        if (query_socket(client->netlink, g_array_index(client->sockets, guint32, i), &facts) &&
            facts.queued)
            return FALSE;
    }
    return TRUE;
}

static guint64 read_counter(const char *status, const char *name)
{
    const char *line = strstr(status, name);
    return line ? g_ascii_strtoull(line + strlen(name), NULL, 10) : 0;
}

/* The name of the kernel function that a thread sleeps in tells the system call: poll, select. */
static gboolean waits_for_events(const char *task)
{
    g_autofree char *path = g_build_filename(task, "wchan", NULL);
    g_autofree char *function = NULL;
    if (!g_file_get_contents(path, &function, NULL, NULL) || g_str_equal(function, "0"))
        return TRUE;
    return strstr(function, "poll") || strstr(function, "select");
}

static void observe_thread(const char *task, gboolean first, ClientView *view, gboolean *waiting)
{
    g_autofree char *path = g_build_filename(task, "status", NULL);
    g_autofree char *status = NULL;
    if (!g_file_get_contents(path, &status, NULL, NULL))
        return;
    const char *state = strstr(status, "State:\t");
    gboolean asleep = !state || state[strlen("State:\t")] == 'S';
    gboolean waits = waits_for_events(task);
    view->asleep = view->asleep && asleep;
    view->idle = view->idle || (first && asleep && waits);
    view->wake_ups += read_counter(status, "\nvoluntary_ctxt_switches:") +
                      read_counter(status, "\nnonvoluntary_ctxt_switches:");
    *waiting = *waiting || waits;
}

/* A program has read everything when it is drained and asleep, the server is then asleep too (so it
 * has no request left to answer), and the program did not wake up in between. */
static ClientView observe_client(Client *client)
{
    ClientView view = {.asleep = TRUE, .drained = is_drained(client)};
    g_autofree char *path = g_strdup_printf("/proc/%d/task", client->pid);
    g_autoptr(GDir) directory = g_dir_open(path, 0, NULL);
    if (!directory)
        return (ClientView){.gone = TRUE};
    gboolean waiting = FALSE;
    for (const char *name = g_dir_read_name(directory); name; name = g_dir_read_name(directory)) {
        g_autofree char *task = g_build_filename(path, name, NULL);
        observe_thread(task, g_ascii_strtoull(name, NULL, 10) == (guint64)client->pid, &view,
                       &waiting);
    }
    view.asleep = view.asleep && waiting;
    return view;
}

/* Fcitx, IBus and others take keys from programs, look them up in the keymap themselves and send
 * text back, so a key is not settled before they are. They announce themselves as owners of
 * selections that a property of the root lists. */
GArray *hf_x11_input_methods_dup_windows(HfX11Connection *connection)
{
    GArray *windows = g_array_new(FALSE, FALSE, sizeof(xcb_window_t));
    gsize count;
    g_autofree guint32 *servers =
        hf_x11_dup_property32(connection, connection->root, "XIM_SERVERS", XCB_ATOM_ATOM, &count);
    for (gsize i = 0; i < count; i++) {
        xcb_get_selection_owner_reply_t *reply = xcb_get_selection_owner_reply(
            connection->xcb, xcb_get_selection_owner(connection->xcb, servers[i]), NULL);
        if (reply && reply->owner != XCB_NONE)
            g_array_append_val(windows, reply->owner);
        free(reply);
    }
    return windows;
}

struct HfX11Barrier {
    HfX11Connection *connection;
    HfX11Focus focus;
    gboolean pings;
    gboolean selected;       /* the root's events */
    guint32 sent, answered;  /* numbers of pings */
    gboolean searched;       /* for `client` and `server`, when first needed */
    Client *client, *server; /* NULL when they cannot be observed; the server without its sockets */
    GPtrArray *helpers;      /* of Client: input methods that keys pass through */
};

static gboolean answers_pings(HfX11Connection *connection, const HfX11Focus *focus)
{
    if (hf_x11_client_of(connection, focus->window) !=
        hf_x11_client_of(connection, focus->toplevel))
        return FALSE; /* the toplevel cannot answer for a program that is embedded in it */
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
    GPtrArray *helpers = g_ptr_array_new_with_free_func((GDestroyNotify)client_free);
    g_autoptr(GArray) windows = hf_x11_input_methods_dup_windows(connection);
    for (guint i = 0; i < windows->len; i++) {
        Client *helper = find_client(connection, g_array_index(windows, xcb_window_t, i));
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
    if (barrier->selected) {
        select_root_events(barrier->connection, XCB_EVENT_MASK_NO_EVENT);
        hf_x11_sync(barrier->connection, NULL);
    }
    hf_x11_discard_events(barrier->connection);
    client_free(barrier->client);
    client_free(barrier->server);
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
           hf_fail(error, HF_ERROR_DESKTOP_TIMEOUT,
                   "the program does not read its keys; wait until it responds again");
}

/* TRUE when answered, or when PING_PATIENCE_MS passed without an answer: see is_ping_answered. */
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

/* Two round trips: the first reply may overtake what the server still has to write to the program,
 * the second cannot. */
static gboolean settle_server(HfX11Barrier *barrier, GError **error)
{
    return hf_x11_sync(barrier->connection, error) && hf_x11_sync(barrier->connection, error);
}

/* The program and the input methods that its keys pass through, as one. */
static ClientView observe_clients(HfX11Barrier *barrier)
{
    ClientView all = observe_client(barrier->client);
    for (guint i = 0; i < barrier->helpers->len; i++) {
        ClientView helper = observe_client(g_ptr_array_index(barrier->helpers, i));
        if (helper.gone)
            continue;
        all.drained &= helper.drained;
        all.asleep &= helper.asleep;
        all.wake_ups += helper.wake_ups;
    }
    return all;
}

/* Whether the program stays settled until the server is settled too. A busy server may still have
 * to answer a request that it has read from the program's socket. If the server never settles,
 * QUIET_MS must do. */
static gboolean stays_settled(HfX11Barrier *barrier, ClientView before, const HfDeadline *deadline)
{
    HfDeadline patience = hf_deadline_within_ms(deadline, QUIET_MS);
    for (;;) {
        gboolean server_asleep = barrier->server && observe_client(barrier->server).asleep;
        ClientView now = observe_clients(barrier);
        if (!now.drained || !now.asleep || now.wake_ups != before.wake_ups)
            return FALSE;
        if (server_asleep || !hf_deadline_pause(&patience, LOOK_INTERVAL_US, NULL))
            return TRUE;
    }
}

static gboolean wait_until_clients_settled(HfX11Barrier *barrier, gboolean answered,
                                           const HfDeadline *deadline, GError **error)
{
    gint64 empty_since = g_get_monotonic_time();
    for (;;) {
        if (!settle_server(barrier, error))
            return FALSE;
        ClientView now = observe_clients(barrier);
        if (now.gone || (now.drained && now.asleep && stays_settled(barrier, now, deadline)))
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
    if (barrier->searched)
        return;
    barrier->searched = TRUE;
    barrier->client = find_client(barrier->connection, barrier->focus.window);
    barrier->server = client_new(hf_x11_server_pid(barrier->connection));
}

static gboolean wait_without_pings(HfX11Barrier *barrier, const HfDeadline *deadline,
                                   GError **error)
{
    find_focused_client(barrier);
    if (barrier->client)
        return wait_until_clients_settled(barrier, FALSE, deadline, error);
    if (!settle_server(barrier, error))
        return FALSE;
    return hf_deadline_pause(deadline, BLIND_MS * 1000, NULL) || fail_unread(deadline, error);
}

/* After a while without an answer: a busy program may still answer. One that is gone, or that
 * sleeps with an empty queue, never will. */
static gboolean will_answer(HfX11Barrier *barrier)
{
    if (!window_exists(barrier->connection, barrier->focus.toplevel))
        return FALSE;
    find_focused_client(barrier);
    if (!barrier->client)
        return TRUE;
    ClientView view = observe_client(barrier->client);
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
    if (!barrier->pings) /* the program has settled, or cannot be observed */
        return TRUE;
    if (barrier->client)
        return wait_until_clients_settled(barrier, TRUE, deadline, error);
    return hf_deadline_pause(deadline, BLIND_MS * 1000, NULL) || fail_unread(deadline, error);
}

/* When the first ping is answered, the program has read that the map changed, and the server has
 * answered its requests from before. The second ping travels behind that answer. A program with
 * several connections (Chromium has GTK's beside its own) may hear of the change on another one, so
 * it must settle too. Programs without pings are simple: they query the map when they look a key
 * up. */
gboolean hf_x11_barrier_wait_for_map(HfX11Barrier *barrier, const HfDeadline *deadline,
                                     GError **error)
{
    if (!barrier->pings)
        return TRUE;
    for (int i = 0; i < 2; i++)
        if (!hf_x11_barrier_wait(barrier, hf_x11_barrier_mark(barrier), deadline, error))
            return FALSE;
    find_focused_client(barrier);
    return !barrier->client || barrier->client->sockets->len <= 2 /* one connection */ ||
           wait_until_clients_settled(barrier, FALSE, deadline, error);
}
