/* The serving thread and what it serves. One lock guards everything; whoever claims a selection
 * does so under it, so a request is never answered before its content is there.
 *
 * Timestamps decide every race with the user: each claim carries a time from before it was decided
 * upon, and the X server ignores it when somebody else took the selection after that. So a copy
 * that the user makes while we work always wins.
 *
 * A loan is visible to the borrowing program alone: others (clipboard managers, synchronisers, the
 * user pasting elsewhere) still get the content. */
#include "platform/x11/selection-serve.h"

#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>
#include <xcb/res.h>

#include "base/error.h"
#include "base/limits.h"
#include "platform/x11/selection-send.h"

/* How long after a loan the borrower hears that it is over. */
#define ANNOUNCE_AFTER_US G_USEC_PER_SEC

/* A content with its names as atoms of the server. */
typedef struct Offer {
    HfClipboardData *data;
    xcb_atom_t *targets, *types;
} Offer;

typedef struct Held {
    xcb_atom_t selection;
    gboolean owned;
    xcb_timestamp_t time;
    Offer *content;
    HfClipboardFile *file;
    gboolean keep_file;
    Offer *loan;
    xcb_window_t borrower;
    guint32 borrower_pid; /* 0: unknown */
    gint64 announce_us;   /* when to tell it that the loan is over; 0: nothing to tell */
    guint fetches;
    gboolean insists;
    gint64 active_us;
} Held;

struct HfSelectionServer {
    char *display;
    GMutex lock; /* guards all below */
    GThread *thread;
    gboolean running, stop;
    HfX11Connection *connection; /* while running */
    xcb_window_t window;
    HfSelectionSender *sender;
    Held held[2]; /* by HfSelection */
    int wake;     /* eventfd: something for the thread to look at */
    int activity; /* eventfd: something for a lender to look at */
};

const char *hf_selection_name(HfSelection selection)
{
    return selection == HF_SELECTION_PRIMARY ? "PRIMARY" : "CLIPBOARD";
}

static void signal_fd(int fd)
{
    eventfd_write(fd, 1);
}

static void clear_fd(int fd)
{
    eventfd_t count;
    eventfd_read(fd, &count);
}

static void offer_free(Offer *offer)
{
    if (!offer)
        return;
    hf_clipboard_data_unref(offer->data);
    g_free(offer->targets);
    g_free(offer->types);
    g_free(offer);
}

static Offer *offer_new(HfX11Connection *connection, HfClipboardData *data)
{
    if (!data)
        return NULL;
    guint count = hf_clipboard_data_get_count(data);
    Offer *offer = g_new0(Offer, 1);
    offer->data = hf_clipboard_data_ref(data);
    offer->targets = g_new0(xcb_atom_t, count + 1);
    offer->types = g_new0(xcb_atom_t, count + 1);
    for (guint i = 0; i < count; i++) {
        const HfClipboardFormat *format = hf_clipboard_data_get(data, i);
        offer->targets[i] = hf_x11_atom(connection, format->target);
        offer->types[i] = hf_x11_atom(connection, format->type);
    }
    return offer;
}

/* The selection is not ours any more. */
static void drop(Held *held)
{
    held->owned = FALSE;
    held->announce_us = 0;
    g_clear_pointer(&held->content, offer_free);
    g_clear_pointer(&held->loan, offer_free);
    if (held->keep_file)
        hf_clipboard_file_free(held->file);
    else
        hf_clipboard_file_remove(held->file);
    held->file = NULL;
    held->keep_file = FALSE;
}

static xcb_window_t get_owner(HfSelectionServer *server, xcb_atom_t selection)
{
    xcb_connection_t *xcb = server->connection->xcb;
    xcb_get_selection_owner_reply_t *reply =
        xcb_get_selection_owner_reply(xcb, xcb_get_selection_owner(xcb, selection), NULL);
    xcb_window_t owner = reply ? reply->owner : XCB_WINDOW_NONE;
    free(reply);
    return owner;
}

/* The process behind a window, as the X server knows it; 0 when it does not. */
static guint32 find_pid(HfX11Connection *connection, xcb_window_t window)
{
    if (!hf_x11_extension(connection, &xcb_res_id))
        return 0;
    xcb_res_client_id_spec_t spec = {window, XCB_RES_CLIENT_ID_MASK_LOCAL_CLIENT_PID};
    xcb_res_query_client_ids_reply_t *reply = xcb_res_query_client_ids_reply(
        connection->xcb, xcb_res_query_client_ids(connection->xcb, 1, &spec), NULL);
    guint32 pid = 0;
    if (reply) {
        xcb_res_client_id_value_iterator_t ids = xcb_res_query_client_ids_ids_iterator(reply);
        if (ids.rem > 0 && xcb_res_client_id_value_value_length(ids.data) > 0)
            pid = *xcb_res_client_id_value_value(ids.data);
    }
    free(reply);
    return pid;
}

static gboolean is_borrower(HfSelectionServer *server, const Held *held, xcb_window_t window)
{
    if (!held->loan)
        return FALSE;
    guint32 own_part = xcb_get_setup(server->connection->xcb)->resource_id_mask;
    if (!held->borrower || (window & ~own_part) == (held->borrower & ~own_part))
        return TRUE;
    return held->borrower_pid && find_pid(server->connection, window) == held->borrower_pid;
}

static void note_activity(HfSelectionServer *server, Held *held)
{
    held->active_us = g_get_monotonic_time();
    signal_fd(server->activity);
}

/* A borrower has read a piece, or all. Only one loan is on at a time. */
static void on_sent(gpointer data, gboolean complete)
{
    HfSelectionServer *server = data;
    for (guint i = 0; i < G_N_ELEMENTS(server->held); i++) {
        Held *held = &server->held[i];
        if (!held->loan)
            continue;
        held->fetches += complete ? 1 : 0;
        note_activity(server, held);
    }
}

static void send_atoms(HfSelectionServer *server, xcb_window_t requestor, xcb_atom_t property,
                       const Offer *offer)
{
    static const char *const own[] = {"TARGETS", "TIMESTAMP", "MULTIPLE", "SAVE_TARGETS"};
    g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(xcb_atom_t));
    for (guint i = 0; i < G_N_ELEMENTS(own); i++) {
        xcb_atom_t atom = hf_x11_atom(server->connection, own[i]);
        g_array_append_val(atoms, atom);
    }
    g_array_append_vals(atoms, offer->targets, hf_clipboard_data_get_count(offer->data));
    xcb_change_property(server->connection->xcb, XCB_PROP_MODE_REPLACE, requestor, property,
                        XCB_ATOM_ATOM, 32, atoms->len, atoms->data);
}

static gboolean send_format(HfSelectionServer *server, Held *held, const Offer *offer,
                            HfSelectionPart part, xcb_atom_t target)
{
    for (guint i = 0; i < hf_clipboard_data_get_count(offer->data); i++) {
        if (offer->targets[i] != target)
            continue;
        const HfClipboardFormat *format = hf_clipboard_data_get(offer->data, i);
        part.type = offer->types[i];
        part.unit = format->unit;
        part.bytes = format->bytes;
        part.watched =
            offer == held->loan && !g_str_equal(format->target, HF_CLIPBOARD_SECRET_TARGET);
        return hf_selection_send(server->sender, &part);
    }
    return FALSE;
}

/* Puts the content as `target` into the property; FALSE when it does not exist in that form. */
static gboolean convert(HfSelectionServer *server, Held *held, xcb_window_t requestor,
                        xcb_atom_t target, xcb_atom_t property)
{
    HfX11Connection *connection = server->connection;
    const Offer *offer = is_borrower(server, held, requestor) ? held->loan : held->content;
    if (!offer)
        return FALSE;
    if (offer == held->loan) {
        held->insists |= held->fetches > 0;
        note_activity(server, held);
    }
    if (target == hf_x11_atom(connection, "TARGETS"))
        send_atoms(server, requestor, property, offer);
    else if (target == hf_x11_atom(connection, "TIMESTAMP"))
        xcb_change_property(connection->xcb, XCB_PROP_MODE_REPLACE, requestor, property,
                            XCB_ATOM_INTEGER, 32, 1, &held->time);
    else if (target == hf_x11_atom(connection, "SAVE_TARGETS"))
        xcb_change_property(connection->xcb, XCB_PROP_MODE_REPLACE, requestor, property,
                            hf_x11_atom(connection, "NULL"), 32, 0, NULL);
    else
        return send_format(server, held, offer,
                           (HfSelectionPart){.requestor = requestor, .property = property}, target);
    return TRUE;
}

/* MULTIPLE: pairs of target and property in a property; a target that failed becomes None. */
static gboolean convert_multiple(HfSelectionServer *server, Held *held, xcb_window_t requestor,
                                 xcb_atom_t property)
{
    xcb_connection_t *xcb = server->connection->xcb;
    xcb_get_property_reply_t *reply =
        xcb_get_property_reply(xcb,
                               xcb_get_property(xcb, 0, requestor, property, XCB_ATOM_ANY, 0,
                                                2 * HF_LIMIT_CLIPBOARD_FORMATS),
                               NULL);
    if (!reply || reply->format != 32 || reply->bytes_after > 0) {
        free(reply);
        return FALSE;
    }
    xcb_atom_t *pairs = xcb_get_property_value(reply);
    guint count = (guint)xcb_get_property_value_length(reply) / 8;
    xcb_atom_t multiple = hf_x11_atom(server->connection, "MULTIPLE");
    for (guint i = 0; i < count; i++) {
        xcb_atom_t target = pairs[2 * i], into = pairs[2 * i + 1];
        if (target == multiple || !into || !convert(server, held, requestor, target, into))
            pairs[2 * i] = XCB_ATOM_NONE;
    }
    xcb_change_property(xcb, XCB_PROP_MODE_REPLACE, requestor, property, reply->type, 32, 2 * count,
                        pairs);
    free(reply);
    return TRUE;
}

static Held *find_held(HfSelectionServer *server, xcb_atom_t selection)
{
    for (guint i = 0; i < G_N_ELEMENTS(server->held); i++)
        if (server->held[i].owned && server->held[i].selection == selection)
            return &server->held[i];
    return NULL;
}

static void answer(HfSelectionServer *server, const xcb_selection_request_event_t *request)
{
    Held *held = find_held(server, request->selection);
    xcb_atom_t property = request->property ? request->property : request->target;
    /* Meant for whoever owned the selection before us. */
    gboolean stale = held && request->time && (gint32)(request->time - held->time) < 0;
    gboolean done = FALSE;
    if (!held || stale)
        done = FALSE;
    else if (request->target == hf_x11_atom(server->connection, "MULTIPLE"))
        done = request->property &&
               convert_multiple(server, held, request->requestor, request->property);
    else
        done = convert(server, held, request->requestor, request->target, property);
    union {
        xcb_selection_notify_event_t notify;
        char bytes[32];
    } reply = {.notify = {.response_type = XCB_SELECTION_NOTIFY,
                          .time = request->time,
                          .requestor = request->requestor,
                          .selection = request->selection,
                          .target = request->target,
                          .property = done ? property : XCB_ATOM_NONE}};
    xcb_send_event(server->connection->xcb, 0, request->requestor, 0, reply.bytes);
}

/* A notice of loss may be older than a claim that we made after it. */
static void lost(HfSelectionServer *server, xcb_atom_t selection)
{
    Held *held = find_held(server, selection);
    if (!held || get_owner(server, selection) == server->window)
        return;
    drop(held);
    signal_fd(server->activity);
}

static void handle(HfSelectionServer *server, const xcb_generic_event_t *event)
{
    switch (event->response_type & 0x7f) {
    case XCB_SELECTION_REQUEST:
        answer(server, (gconstpointer)event);
        break;
    case XCB_SELECTION_CLEAR:
        lost(server, ((const xcb_selection_clear_event_t *)event)->selection);
        break;
    default:
        hf_selection_sender_handle(server->sender, event);
        break;
    }
}

/* Handles all that has arrived. Flushing may itself read more, hence the loop. */
static gboolean handle_pending(HfSelectionServer *server)
{
    xcb_connection_t *xcb = server->connection->xcb;
    gboolean some = TRUE;
    while (some) {
        xcb_generic_event_t *event;
        some = FALSE;
        while ((event = xcb_poll_for_event(xcb))) {
            handle(server, event);
            free(event);
            some = TRUE;
        }
        xcb_flush(xcb);
    }
    return !xcb_connection_has_error(xcb);
}

/* Tells all programs that the content has changed, since they remember what was on offer: by owning
 * it anew, one millisecond younger, which is void if somebody else owns it by now. */
static void announce(HfSelectionServer *server, Held *held)
{
    xcb_connection_t *xcb = server->connection->xcb;
    held->announce_us = 0;
    if (!held->content) {
        xcb_set_selection_owner(xcb, XCB_WINDOW_NONE, held->selection, held->time);
        drop(held);
    } else {
        held->time++;
        xcb_set_selection_owner(xcb, server->window, held->selection, held->time);
        if (get_owner(server, held->selection) != server->window)
            drop(held);
    }
    xcb_flush(xcb);
    signal_fd(server->wake); /* waiting for the reply may have read events to be handled */
}

/* Announces what is due; the milliseconds until the next is, -1: nothing. */
static int announce_due(HfSelectionServer *server)
{
    gint64 now = g_get_monotonic_time(), next = G_MAXINT64;
    for (guint i = 0; i < G_N_ELEMENTS(server->held); i++) {
        Held *held = &server->held[i];
        if (held->announce_us > 0 && held->announce_us <= now)
            announce(server, held);
        else if (held->announce_us > 0)
            next = MIN(next, held->announce_us);
    }
    return next == G_MAXINT64 ? -1 : (int)((next - now) / 1000) + 1;
}

static gboolean has_work(const HfSelectionServer *server)
{
    return server->held[0].owned || server->held[1].owned ||
           hf_selection_sender_get_count(server->sender) > 0;
}

/* Contents belong to the X server: when it has gone, what was written down is of no use. */
static void end_serving(HfSelectionServer *server)
{
    gboolean alive = !xcb_connection_has_error(server->connection->xcb);
    if (!alive) {
        g_autoptr(HfX11Connection) again = hf_x11_connect(server->display, NULL);
        alive = again != NULL;
    }
    for (guint i = 0; i < G_N_ELEMENTS(server->held); i++) {
        server->held[i].keep_file |= alive;
        drop(&server->held[i]);
    }
    g_clear_pointer(&server->sender, hf_selection_sender_free);
    g_clear_pointer(&server->connection, hf_x11_disconnect);
    server->running = FALSE;
    signal_fd(server->activity);
}

static gpointer serve(gpointer data)
{
    HfSelectionServer *server = data;
    g_mutex_lock(&server->lock);
    while (!server->stop && handle_pending(server)) {
        int stall = hf_selection_sender_expire(server->sender), due = announce_due(server);
        int limit = stall < 0 || due < 0 ? MAX(stall, due) : MIN(stall, due);
        if (!has_work(server))
            break;
        struct pollfd fds[] = {{xcb_get_file_descriptor(server->connection->xcb), POLLIN, 0},
                               {server->wake, POLLIN, 0}};
        g_mutex_unlock(&server->lock);
        poll(fds, G_N_ELEMENTS(fds), limit);
        clear_fd(server->wake);
        g_mutex_lock(&server->lock);
    }
    end_serving(server);
    g_mutex_unlock(&server->lock);
    return NULL;
}

HfSelectionServer *hf_selection_server_new(const char *display)
{
    HfSelectionServer *server = g_new0(HfSelectionServer, 1);
    server->display = g_strdup(display);
    server->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    server->activity = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    g_mutex_init(&server->lock);
    return server;
}

void hf_selection_server_join(HfSelectionServer *server)
{
    g_mutex_lock(&server->lock);
    GThread *thread = g_steal_pointer(&server->thread);
    g_mutex_unlock(&server->lock);
    if (thread)
        g_thread_join(thread);
}

void hf_selection_server_free(HfSelectionServer *server)
{
    if (!server)
        return;
    g_mutex_lock(&server->lock);
    server->stop = TRUE;
    signal_fd(server->wake);
    g_mutex_unlock(&server->lock);
    hf_selection_server_join(server);
    close(server->wake);
    close(server->activity);
    g_mutex_clear(&server->lock);
    g_free(server->display);
    g_free(server);
}

/* Called with the lock held. */
static gboolean ensure_running(HfSelectionServer *server, GError **error)
{
    if (server->running)
        return hf_x11_check(server->connection, error);
    if (server->thread)
        g_thread_join(g_steal_pointer(&server->thread)); /* it has ended: it needs no lock */
    g_autoptr(HfX11Connection) connection = hf_x11_connect(server->display, error);
    if (!connection)
        return FALSE;
    server->window = xcb_generate_id(connection->xcb);
    xcb_create_window(connection->xcb, 0, server->window, connection->root, -1, -1, 1, 1, 0,
                      XCB_WINDOW_CLASS_INPUT_ONLY, XCB_COPY_FROM_PARENT, 0, NULL);
    server->sender = hf_selection_sender_new(connection, on_sent, server);
    server->connection = g_steal_pointer(&connection);
    server->running = TRUE;
    server->thread = g_thread_new("selections", serve, server);
    return TRUE;
}

static void adopt_claim(HfSelectionServer *server, Held *held, const HfSelectionClaim *claim)
{
    HfX11Connection *connection = server->connection;
    offer_free(held->content);
    offer_free(held->loan);
    held->content = offer_new(connection, claim->content);
    held->loan = offer_new(connection, claim->loan);
    held->borrower = claim->borrower;
    held->borrower_pid = claim->loan && claim->borrower ? find_pid(connection, claim->borrower) : 0;
    held->time = claim->time;
    held->announce_us = 0;
    held->owned = TRUE;
    held->fetches = 0;
    held->insists = FALSE;
    if (claim->file) {
        hf_clipboard_file_remove(held->file);
        held->file = claim->file;
    }
}

gboolean hf_selection_server_claim(HfSelectionServer *server, const HfSelectionClaim *claim,
                                   gboolean *ret_taken, GError **error)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&server->lock);
    if (!ensure_running(server, error))
        return FALSE;
    Held *held = &server->held[claim->selection];
    held->selection = hf_x11_atom(server->connection, hf_selection_name(claim->selection));
    xcb_set_selection_owner(server->connection->xcb, server->window, held->selection, claim->time);
    *ret_taken = get_owner(server, held->selection) == server->window;
    if (*ret_taken)
        adopt_claim(server, held, claim);
    signal_fd(server->wake); /* waiting for the reply may have read events meant for the thread */
    return hf_x11_check(server->connection, error);
}

gboolean hf_selection_server_get_content(HfSelectionServer *server, HfSelection selection,
                                         HfClipboardData **ret_content, xcb_timestamp_t *ret_time)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&server->lock);
    Held *held = &server->held[selection];
    if (!held->owned)
        return FALSE;
    gboolean ours = get_owner(server, held->selection) == server->window;
    signal_fd(server->wake);
    if (!ours)
        return FALSE;
    *ret_content = held->content ? hf_clipboard_data_ref(held->content->data) : NULL;
    *ret_time = held->time;
    return TRUE;
}

void hf_selection_server_count_fetches(HfSelectionServer *server, HfSelection selection)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&server->lock);
    server->held[selection].fetches = 0;
    server->held[selection].insists = FALSE;
    if (server->running)
        hf_selection_sender_unwatch(server->sender);
    clear_fd(server->activity);
}

HfSelectionLoanState hf_selection_server_get_loan(HfSelectionServer *server, HfSelection selection)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&server->lock);
    const Held *held = &server->held[selection];
    clear_fd(server->activity);
    if (held->owned && hf_x11_sync(server->connection, NULL)) {
        handle_pending(server);
        signal_fd(server->wake);
    }
    return (HfSelectionLoanState){
        .owned = held->owned,
        .fetches = held->fetches,
        .under_way = server->running ? hf_selection_sender_get_watched(server->sender) : 0,
        .active_us = held->active_us,
        .insists = held->insists,
        .pid = held->borrower_pid};
}

int hf_selection_server_get_activity_fd(HfSelectionServer *server)
{
    return server->activity;
}

void hf_selection_server_end_loan(HfSelectionServer *server, HfSelection selection)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&server->lock);
    Held *held = &server->held[selection];
    g_clear_pointer(&held->loan, offer_free);
    if (held->owned)
        held->announce_us = g_get_monotonic_time() + ANNOUNCE_AFTER_US;
    signal_fd(server->wake);
}

int hf_selection_server_keep_file(HfSelectionServer *server, HfSelection selection, char **ret_path)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&server->lock);
    Held *held = &server->held[selection];
    if (!held->owned || !held->file)
        return -1;
    int fd = fcntl(hf_clipboard_file_get_fd(held->file), F_DUPFD_CLOEXEC, 3);
    if (fd < 0)
        return -1;
    held->keep_file = TRUE;
    *ret_path = g_strdup(hf_clipboard_file_get_path(held->file));
    return fd;
}
