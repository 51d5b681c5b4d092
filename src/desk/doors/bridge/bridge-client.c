/* SPDX-License-Identifier: Apache-2.0 */
/* A bridge connection. The thread that has an answer writes it; only what the socket does not take
 * at once waits for the main loop. A client with too long a line, or too large a backlog, is
 * dropped, so it cannot use more memory than that. */
#include "desk/doors/bridge/bridge-client.h"

#include <errno.h>
#include <glib-unix.h>
#include <glib.h>
#include <poll.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <unistd.h>

#include "desk/doors/bridge/outbox.h"
#include "desk/doors/bridge/rpc-request.h"
#include "desk/doors/doors-limits.h"
#include "desk/policy/identity/caller-session.h"
#include "shared/base/error.h"
#include "shared/base/id.h"
#include "shared/base/limits.h"
#include "shared/process/processes.h"

/* The process at the other end. The kernel recorded it when the connection was made, so the peer
 * cannot forge it. The pid could have been reused since, so a pidfd of the process confirms it. */
typedef struct HfPeerCredentials {
    pid_t pid;
    guint64 start_time; /* with the pid it identifies exactly that process */
    uid_t uid;
    char *program; /* the path of its executable; NULL: unknown */
} HfPeerCredentials;

#ifndef SO_PEERPIDFD
#define SO_PEERPIDFD 77
#endif

/* Kernels before 6.5 lack the first option. */
static int open_peer(int fd, pid_t pid)
{
    int process;
    socklen_t length = sizeof process;
    if (getsockopt(fd, SOL_SOCKET, SO_PEERPIDFD, &process, &length) == 0)
        return process;
    return pidfd_open(pid, 0);
}

/* Reads while the pidfd shows that the process lives, so the data is its own. */
static gboolean read_peer_process(int process, HfPeerCredentials *peer)
{
    struct pollfd ended = {process, POLLIN, 0};
    HfProcess facts;
    g_autofree char *link = g_strdup_printf("/proc/%d/exe", (int)peer->pid);
    if (process < 0 || !hf_process_read(peer->pid, &facts))
        return FALSE;
    peer->program = g_file_read_link(link, NULL);
    peer->start_time = facts.start_time;
    return poll(&ended, 1, 0) == 0;
}

/* UNAUTHENTICATED when it cannot be determined, for instance because the process has ended. */
static gboolean peer_credentials_init(HfPeerCredentials *peer, int fd, GError **error)
{
    struct ucred credentials;
    socklen_t length = sizeof credentials;
    *peer = (HfPeerCredentials){0};
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &credentials, &length) != 0)
        return hf_fail(error, HF_ERROR_UNAUTHENTICATED,
                       "the kernel did not report the credentials of the caller");
    *peer = (HfPeerCredentials){.pid = credentials.pid, .uid = credentials.uid};
    if (credentials.pid <= 0)
        return hf_fail(error, HF_ERROR_UNAUTHENTICATED,
                       "the caller runs outside of the container of this desk (another PID "
                       "namespace), so it may not call here");
    int process = open_peer(fd, credentials.pid);
    gboolean known = read_peer_process(process, peer);
    if (process >= 0)
        close(process);
    return known ||
           hf_fail(error, HF_ERROR_UNAUTHENTICATED,
                   "process %d, which made this connection, has ended", (int)credentials.pid);
}

static void peer_credentials_clear(HfPeerCredentials *peer)
{
    g_clear_pointer(&peer->program, g_free);
}

struct HfBridgeClient {
    gatomicrefcount refs;
    int fd;
    HfPeerCredentials peer;
    char *name;
    HfCaller caller;
    char *run_id, *session;
    gint reads;
    HfBridgeLine line;
    HfBridgeGone gone;
    gpointer data;
    GByteArray *in; /* main thread: the beginning of a line */
    guint read_source;
    gboolean held; /* main thread: `in` may then hold whole lines */
    gpointer feed; /* main thread; may be NULL, like its functions */
    GDestroyNotify feed_free;
    void (*feed_drained)(gpointer feed);
    HfBridgeLine protocol_line; /* main thread: the protocol that took the connection over */
    gpointer protocol;
    GDestroyNotify protocol_end;
    GMutex lock; /* guards what follows */
    HfOutbox *out;
    guint write_source;
    gboolean closed;
    GHashTable *calls; /* key → GCancellable */
    guint waiting;     /* calls that wait for a person; they do not count */
    guint64 anonymous; /* calls without an id so far */
};

HfBridgeClient *hf_bridge_client_ref(HfBridgeClient *client)
{
    g_atomic_ref_count_inc(&client->refs);
    return client;
}

void hf_bridge_client_unref(HfBridgeClient *client)
{
    if (!client || !g_atomic_ref_count_dec(&client->refs))
        return;
    close(client->fd);
    peer_credentials_clear(&client->peer);
    g_free(client->run_id);
    g_free(client->session);
    g_free(client->name);
    g_byte_array_unref(client->in);
    hf_outbox_free(client->out);
    g_hash_table_unref(client->calls);
    g_mutex_clear(&client->lock);
    g_free(client);
}

const HfCaller *hf_bridge_client_get_caller(const HfBridgeClient *client)
{
    return &client->caller;
}

/* Cuts complete lines out of the received bytes until the client is held. FALSE when a line grows
 * too long. */
static gboolean take_client_lines(HfBridgeClient *client, const guint8 *data, gsize length)
{
    const guint8 *end;
    while (!client->held && (end = memchr(data, '\n', length))) {
        gsize piece = (gsize)(end - data);
        g_byte_array_append(client->in, data, (guint)piece);
        g_autoptr(GBytes) line = g_byte_array_free_to_bytes(client->in);
        client->in = g_byte_array_new();
        if (g_bytes_get_size(line) > 0 && client->protocol)
            client->protocol_line(client, line, client->protocol);
        else if (g_bytes_get_size(line) > 0)
            client->line(client, line, client->data);
        data += piece + 1;
        length -= piece + 1;
    }
    g_byte_array_append(client->in, data, (guint)length);
    return client->held || client->in->len <= HF_LIMIT_REQUEST_BYTES;
}

static const char too_long[] = "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32600,"
                               "\"message\":\"the request is too long\"}}\n";

static gboolean on_client_readable(gint fd, GIOCondition condition, gpointer data)
{
    HfBridgeClient *client = data;
    static guint8 buffer[256 * 1024]; /* main thread only */
    ssize_t got = recv(fd, buffer, sizeof buffer, MSG_DONTWAIT);
    if (got < 0 && (errno == EAGAIN || errno == EINTR))
        return G_SOURCE_CONTINUE;
    if (got > 0 && take_client_lines(client, buffer, (gsize)got) && !client->held)
        return G_SOURCE_CONTINUE;
    client->read_source = 0;
    if (got > 0 && client->held)
        return G_SOURCE_REMOVE;
    if (got > 0)
        hf_bridge_client_send(client, too_long, sizeof too_long - 1);
    client->read_source = 0;
    client->gone(client, client->data);
    return G_SOURCE_REMOVE;
}

static gboolean on_writable(gint fd, GIOCondition condition, gpointer data)
{
    HfBridgeClient *client = data;
    g_mutex_lock(&client->lock);
    gboolean fine = hf_outbox_flush(client->out) && !client->closed;
    gboolean drained = hf_outbox_is_empty(client->out), go_on = fine && !drained;
    if (!go_on)
        client->write_source = 0;
    g_mutex_unlock(&client->lock);
    if (fine && drained && client->feed)
        client->feed_drained(client->feed);
    return go_on ? G_SOURCE_CONTINUE : G_SOURCE_REMOVE;
}

void hf_bridge_client_send_with(HfBridgeClient *client, const char *text, gsize length,
                                GArray *take_fds, gsize fd_bytes)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&client->lock);
    if (!hf_outbox_send(client->out, text, length, take_fds, fd_bytes))
        shutdown(client->fd, SHUT_RDWR); /* the reader sees the end and closes */
    else if (!client->closed && !hf_outbox_is_empty(client->out) && !client->write_source)
        client->write_source = g_unix_fd_add_full(G_PRIORITY_DEFAULT, client->fd, G_IO_OUT,
                                                  on_writable, hf_bridge_client_ref(client),
                                                  (GDestroyNotify)hf_bridge_client_unref);
}

void hf_bridge_client_send(HfBridgeClient *client, const char *text, gsize length)
{
    hf_bridge_client_send_with(client, text, length, NULL, 0);
}

gsize hf_bridge_client_get_backlog(HfBridgeClient *client)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&client->lock);
    return hf_outbox_get_length(client->out);
}

void hf_bridge_client_set_feed(HfBridgeClient *client, gpointer take_feed, GDestroyNotify free,
                               void (*drained)(gpointer feed))
{
    if (client->feed)
        client->feed_free(client->feed);
    client->feed = take_feed;
    client->feed_free = free;
    client->feed_drained = drained;
}

void hf_bridge_client_hand_over(HfBridgeClient *client, HfBridgeLine line, gpointer take_data,
                                GDestroyNotify end)
{
    gpointer before = client->protocol;
    GDestroyNotify end_before = client->protocol_end;
    client->protocol_line = line;
    client->protocol = take_data;
    client->protocol_end = end;
    if (before)
        end_before(before);
}

void hf_bridge_client_close(HfBridgeClient *client)
{
    g_autoptr(GPtrArray) cancellables = g_ptr_array_new_with_free_func(g_object_unref);
    GHashTableIter iter;
    gpointer cancellable;
    g_mutex_lock(&client->lock);
    client->closed = TRUE;
    g_hash_table_iter_init(&iter, client->calls);
    while (g_hash_table_iter_next(&iter, NULL, &cancellable))
        g_ptr_array_add(cancellables, g_object_ref(cancellable));
    guint write_source = client->write_source;
    client->write_source = 0;
    g_mutex_unlock(&client->lock);
    hf_bridge_client_set_feed(client, NULL, NULL, NULL);
    hf_bridge_client_hand_over(client, NULL, NULL, NULL);
    if (write_source)
        g_source_remove(write_source);
    if (client->read_source)
        g_source_remove(client->read_source);
    client->read_source = 0;
    shutdown(client->fd, SHUT_RDWR);
    for (guint i = 0; i < cancellables->len; i++)
        g_cancellable_cancel(cancellables->pdata[i]);
}

char *hf_bridge_client_begin_call(HfBridgeClient *client, const char *id,
                                  GCancellable **ret_cancellable)
{
    g_mutex_lock(&client->lock);
    g_autofree char *key =
        id ? g_strdup(id) : g_strdup_printf("#%" G_GUINT64_FORMAT, ++client->anonymous);
    gboolean fits = g_hash_table_size(client->calls) < HF_LIMIT_CLIENT_CALLS + client->waiting &&
                    !g_hash_table_contains(client->calls, key);
    if (fits) {
        *ret_cancellable = g_cancellable_new();
        g_hash_table_insert(client->calls, g_strdup(key), g_object_ref(*ret_cancellable));
    }
    gboolean closed = client->closed;
    g_mutex_unlock(&client->lock);
    if (fits && closed)
        g_cancellable_cancel(*ret_cancellable);
    return fits ? g_steal_pointer(&key) : NULL;
}

void hf_bridge_client_end_call(HfBridgeClient *client, const char *key)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&client->lock);
    g_hash_table_remove(client->calls, key);
}

void hf_bridge_client_set_waiting(HfBridgeClient *client, gboolean waiting)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&client->lock);
    client->waiting += waiting ? 1 : -1;
}

gboolean hf_bridge_client_cancel_call(HfBridgeClient *client, const char *id)
{
    g_mutex_lock(&client->lock);
    GCancellable *cancellable = g_hash_table_lookup(client->calls, id);
    if (cancellable)
        g_object_ref(cancellable);
    g_mutex_unlock(&client->lock);
    if (!cancellable)
        return FALSE;
    g_cancellable_cancel(cancellable);
    g_object_unref(cancellable);
    return TRUE;
}

/* Sends the reason if the socket takes it at once. */
static void reject_peer(int take_fd, const HfPeerCredentials *peer, GError *error)
{
    GError *reason = error;
    hf_error_take_details(&reason,
                          json_pack("{s:i, s:i, s:o}", "pid", (int)peer->pid, "uid", (int)peer->uid,
                                    "program", hf_json_text(peer->program ? peer->program : "")));
    g_autoptr(json_t) reply = json_pack(
        "{s:s, s:n, s:{s:i, s:o, s:o}}", "jsonrpc", "2.0", "id", "error", "code", HF_RPC_REFUSED,
        "message", hf_json_text(error->message), "data", hf_error_to_json(error));
    g_autofree char *dump = hf_json_dump(reply);
    g_autofree char *text = g_strconcat(dump, "\n", NULL);
    (void)!send(take_fd, text, strlen(text), MSG_NOSIGNAL | MSG_DONTWAIT);
    close(take_fd);
}

static HfCaller caller_of_peer(const HfPeerCredentials *peer, HfInputOrigin *inputs)
{
    return (HfCaller){
        .kind = HF_CALLER_CLIENT,
        .door = "bridge",
        .pid = peer->pid,
        .start_time = peer->start_time,
        .uid = peer->uid,
        .terminal = hf_caller_read_terminal(peer->pid),
        .program = peer->program,
        .inputs = inputs,
    };
}

/* A source that may not recurse is removed from the poll and added again around each dispatch,
 * which costs another round of the loop. No nested loop runs here, so recursion is safe. */
static guint watch_input(HfBridgeClient *client)
{
    guint id = g_unix_fd_add(client->fd, G_IO_IN | G_IO_HUP, on_client_readable, client);
    g_source_set_can_recurse(g_main_context_find_source_by_id(NULL, id), TRUE);
    return id;
}

void hf_bridge_client_hold(HfBridgeClient *client)
{
    client->held = TRUE;
}

void hf_bridge_client_release(HfBridgeClient *client)
{
    client->held = FALSE;
    if (client->closed)
        return;
    g_autoptr(GByteArray) waiting = g_steal_pointer(&client->in);
    client->in = g_byte_array_new();
    gboolean fits = waiting->len == 0 || take_client_lines(client, waiting->data, waiting->len);
    if (!fits)
        hf_bridge_client_send(client, too_long, sizeof too_long - 1);
    if (!fits)
        client->gone(client, client->data);
    else if (!client->held && !client->closed)
        client->read_source = watch_input(client);
}

HfBridgeClient *hf_bridge_client_new(int take_fd, HfInputOrigin *inputs, HfBridgeLine line,
                                     HfBridgeGone gone, gpointer data, GError **error)
{
    HfPeerCredentials peer = {0};
    g_autoptr(GError) reason = NULL;
    gboolean known = peer_credentials_init(&peer, take_fd, &reason);
    HfCaller caller = caller_of_peer(&peer, inputs);
    if (!known || !hf_caller_admit(&caller, &reason)) {
        reject_peer(take_fd, &peer, reason);
        peer_credentials_clear(&peer);
        g_propagate_error(error, g_steal_pointer(&reason));
        return NULL;
    }
    HfBridgeClient *client = g_new0(HfBridgeClient, 1);
    g_atomic_ref_count_init(&client->refs);
    client->fd = take_fd;
    client->peer = peer;
    client->name = peer.program ? g_path_get_basename(peer.program) : g_strdup("unknown");
    client->caller = caller;
    client->caller.name = client->name;
    client->run_id = hf_id_new("r");
    client->caller.run_id = client->run_id;
    client->session = hf_caller_dup_session(&caller);
    client->caller.session = client->session;
    client->caller.reads = &client->reads;
    if (hf_caller_is_owner(&caller, NULL)) {
        client->caller.kind = HF_CALLER_OWNER;
        client->caller.name = "owner";
    }
    client->line = line;
    client->gone = gone;
    client->data = data;
    client->in = g_byte_array_new();
    client->out = hf_outbox_new(take_fd);
    client->calls = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_object_unref);
    g_mutex_init(&client->lock);
    client->read_source = watch_input(client);
    return client;
}
