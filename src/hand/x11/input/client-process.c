/* SPDX-License-Identifier: Apache-2.0 */
/* Looks at a process from outside, by what any user may see of their own processes: the states of
 * its threads in /proc, and the receive queues of its sockets by sock_diag. What may not be seen
 * counts as settled; the barrier then takes more time to be sure. */
#include "hand/x11/input/client-process.h"

#include <fcntl.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sock_diag.h>
#include <linux/unix_diag.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <xcb/res.h>

struct HfX11Client {
    int pid;
    int netlink;     /* -1: not available */
    GArray *sockets; /* of guint32: inodes of its connections to an X server, both ends */
};

typedef struct SocketFacts {
    guint32 peer, queued;
    gboolean is_x_server; /* its name is that of an X server's socket */
} SocketFacts;

static int find_pid(HfX11Connection *connection, xcb_window_t window)
{
    xcb_res_client_id_spec_t spec = {window, XCB_RES_CLIENT_ID_MASK_LOCAL_CLIENT_PID};
    xcb_res_query_client_ids_reply_t *reply = xcb_res_query_client_ids_reply(
        connection->xcb, xcb_res_query_client_ids(connection->xcb, 1, &spec), NULL);
    if (!reply)
        return 0;
    int pid = 0;
    xcb_res_client_id_value_iterator_t ids = xcb_res_query_client_ids_ids_iterator(reply);
    for (; ids.rem; xcb_res_client_id_value_next(&ids))
        if (ids.data->spec.mask == XCB_RES_CLIENT_ID_MASK_LOCAL_CLIENT_PID && ids.data->length >= 4)
            pid = (int)*xcb_res_client_id_value_value(ids.data);
    free(reply);
    return pid;
}

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

static gboolean ask_socket(int netlink, guint32 inode, SocketFacts *ret_facts)
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

/* What waits at the server's end is a question whose answer the program may be waiting for. */
static void add_connection(HfX11Client *client, guint32 inode)
{
    SocketFacts facts, peer;
    if (ask_socket(client->netlink, inode, &facts) && facts.peer &&
        ask_socket(client->netlink, facts.peer, &peer) && peer.is_x_server) {
        g_array_append_val(client->sockets, inode);
        g_array_append_val(client->sockets, facts.peer);
    }
}

static void find_sockets(HfX11Client *client)
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

static HfX11Client *client_new(int pid)
{
    HfX11Client *client = g_new0(HfX11Client, 1);
    client->pid = pid;
    client->netlink = -1;
    client->sockets = g_array_new(FALSE, FALSE, sizeof(guint32));
    return client;
}

HfX11Client *hf_x11_client_find_server(HfX11Connection *connection)
{
    struct ucred peer = {0};
    socklen_t length = sizeof peer;
    int fd = xcb_get_file_descriptor(connection->xcb);
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &length) != 0 || peer.pid <= 0)
        return NULL;
    return client_new(peer.pid);
}

HfX11Client *hf_x11_client_find(HfX11Connection *connection, xcb_window_t window)
{
    int pid = hf_x11_extension(connection, &xcb_res_id) ? find_pid(connection, window) : 0;
    if (pid <= 0)
        return NULL;
    HfX11Client *client = client_new(pid);
    client->netlink = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
    if (client->netlink >= 0)
        find_sockets(client);
    return client;
}

void hf_x11_client_free(HfX11Client *client)
{
    if (!client)
        return;
    if (client->netlink >= 0)
        close(client->netlink);
    g_array_unref(client->sockets);
    g_free(client);
}

guint hf_x11_client_count_connections(const HfX11Client *client)
{
    return client->sockets->len / 2;
}

static gboolean is_drained(HfX11Client *client)
{
    for (guint i = 0; i < client->sockets->len; i++) {
        SocketFacts facts;
        if (ask_socket(client->netlink, g_array_index(client->sockets, guint32, i), &facts) &&
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

/* The kernel function that a thread sleeps in names the system call: poll, select, epoll. */
static gboolean waits_for_events(const char *task)
{
    g_autofree char *path = g_build_filename(task, "wchan", NULL);
    g_autofree char *function = NULL;
    if (!g_file_get_contents(path, &function, NULL, NULL) || g_str_equal(function, "0"))
        return TRUE;
    return strstr(function, "poll") || strstr(function, "select");
}

static void look_at_thread(const char *task, gboolean first, HfX11ClientView *view,
                           gboolean *waiting)
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

HfX11ClientView hf_x11_client_observe(HfX11Client *client)
{
    HfX11ClientView view = {.asleep = TRUE, .drained = is_drained(client)};
    g_autofree char *path = g_strdup_printf("/proc/%d/task", client->pid);
    g_autoptr(GDir) directory = g_dir_open(path, 0, NULL);
    if (!directory)
        return (HfX11ClientView){.gone = TRUE};
    gboolean waiting = FALSE;
    for (const char *name = g_dir_read_name(directory); name; name = g_dir_read_name(directory)) {
        g_autofree char *task = g_build_filename(path, name, NULL);
        look_at_thread(task, g_ascii_strtoull(name, NULL, 10) == (guint64)client->pid, &view,
                       &waiting);
    }
    view.asleep = view.asleep && waiting;
    return view;
}
