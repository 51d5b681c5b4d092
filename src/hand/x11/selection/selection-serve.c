/* SPDX-License-Identifier: Apache-2.0 */
/* The serving thread: owns the selections and notices when we lose one. selection-answer.c decides
 * what a program gets. One lock guards everything. A claim is made under it, so no request is
 * answered before its content is there. The thread takes the lock for a bounded number of events at
 * a time, so a flood of requests locks nobody out.
 *
 * Timestamps decide every race with the user: each claim carries a time from before the decision,
 * and the X server ignores the claim when another program took the selection after that. So a copy
 * that the user makes meanwhile always wins. Events that a program forged are ignored. */
#include "hand/x11/selection/selection-serve.h"

#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "hand/x11/core/server-generation.h"
#include "hand/x11/selection/selection-answer.h"
#include "hand/x11/windows/window-pid.h"
#include "shared/base/error.h"

/* How long after the end of a loan the borrower is notified. */
#define ANNOUNCE_AFTER_US G_USEC_PER_SEC
/* Events that the thread handles before it releases the lock. */
#define EVENTS_AT_ONCE 64

typedef struct Held {
    HfSelectionState state;
    gboolean owned;
    HfClipboardFile *file;
    gboolean keep_file;
    gint64 announce_us; /* when to notify the borrower that the loan is over; 0: never */
} Held;

struct HfSelectionServer {
    char *display;
    GMutex next; /* held by the next owner of `lock`, so that every thread gets its turn */
    GMutex lock; /* guards everything below */
    GThread *thread;
    gboolean running, stop;
    HfX11Connection *connection; /* while running */
    xcb_window_t window;
    HfSelectionAnswerer *answerer;
    Held held[2]; /* by HfSelection */
    int wake;     /* eventfd: wakes the thread */
    int activity; /* eventfd: wakes a lender */
};

const char *hf_selection_name(HfSelection selection)
{
    return selection == HF_SELECTION_PRIMARY ? "PRIMARY" : "CLIPBOARD";
}

/* Holds the lock while the variable is in scope. */
typedef HfSelectionServer Locked;

/* A thread that takes the lock again at once comes after those that wait for it. */
static Locked *lock_in_turn(HfSelectionServer *server)
{
    g_mutex_lock(&server->next);
    g_mutex_lock(&server->lock);
    g_mutex_unlock(&server->next);
    return server;
}

static void locked_free(Locked *locked)
{
    if (locked)
        g_mutex_unlock(&locked->lock);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Locked, locked_free)

static void signal_fd(int fd)
{
    eventfd_write(fd, 1);
}

static void clear_fd(int fd)
{
    eventfd_t count;
    eventfd_read(fd, &count);
}

static void drop_ownership(Held *held)
{
    held->owned = FALSE;
    held->announce_us = 0;
    g_clear_pointer(&held->state.content, hf_selection_offer_free);
    g_clear_pointer(&held->state.loan, hf_selection_offer_free);
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

/* A borrower has read a piece, or everything. There is one loan at a time. */
static void on_sent(gpointer data, gboolean complete)
{
    HfSelectionServer *server = data;
    for (guint i = 0; i < G_N_ELEMENTS(server->held); i++) {
        HfSelectionState *state = &server->held[i].state;
        if (!state->loan)
            continue;
        state->fetches += complete ? 1 : 0;
        state->active_us = g_get_monotonic_time();
        signal_fd(server->activity);
    }
}

static Held *find_held_selection(HfSelectionServer *server, xcb_atom_t selection)
{
    for (guint i = 0; i < G_N_ELEMENTS(server->held); i++)
        if (server->held[i].owned && server->held[i].state.selection == selection)
            return &server->held[i];
    return NULL;
}

/* The event may be older than our latest claim, so the server is queried. */
static void on_selection_lost(HfSelectionServer *server, xcb_atom_t selection)
{
    Held *held = find_held_selection(server, selection);
    if (!held || get_owner(server, selection) == server->window)
        return;
    drop_ownership(held);
    signal_fd(server->activity);
}

/* The comparison with the whole response_type ignores events that a program sent. */
static void handle_selection_event(HfSelectionServer *server, const xcb_generic_event_t *event)
{
    const xcb_selection_request_event_t *request = (gconstpointer)event;
    switch (event->response_type) {
    case XCB_SELECTION_REQUEST: {
        Held *held = find_held_selection(server, request->selection);
        if (hf_selection_answer(server->answerer, held ? &held->state : NULL, request))
            signal_fd(server->activity);
        break;
    }
    case XCB_SELECTION_CLEAR:
        on_selection_lost(server, ((const xcb_selection_clear_event_t *)event)->selection);
        break;
    default:
        hf_selection_answerer_handle(server->answerer, event);
        break;
    }
}

/* Handles a bounded number of events; TRUE when there may be more. Flushing may read some too. */
static gboolean handle_event_batch(HfSelectionServer *server)
{
    xcb_connection_t *xcb = server->connection->xcb;
    for (guint i = 0; i < EVENTS_AT_ONCE; i++) {
        xcb_generic_event_t *event = xcb_poll_for_event(xcb);
        if (!event) {
            xcb_flush(xcb);
            event = xcb_poll_for_queued_event(xcb);
        }
        if (!event)
            return FALSE;
        handle_selection_event(server, event);
        free(event);
    }
    xcb_flush(xcb);
    return TRUE;
}

/* Handles all events that had reached the X server before the call, and no later ones. */
static void catch_up(HfSelectionServer *server)
{
    xcb_connection_t *xcb = server->connection->xcb;
    g_autoptr(GPtrArray) events = g_ptr_array_new_with_free_func(free);
    xcb_generic_event_t *event;
    if (!hf_x11_sync(server->connection, NULL))
        return;
    while ((event = xcb_poll_for_queued_event(xcb)))
        g_ptr_array_add(events, event);
    for (guint i = 0; i < events->len; i++)
        handle_selection_event(server, events->pdata[i]);
    xcb_flush(xcb);
    signal_fd(server->wake);
}

/* Programs remember what was on offer, so they must hear that it changed: we take the selection
 * again, one millisecond later. The server ignores that if another program owns it by now. */
static void announce_content(HfSelectionServer *server, Held *held)
{
    xcb_connection_t *xcb = server->connection->xcb;
    held->announce_us = 0;
    if (!held->state.content) {
        xcb_set_selection_owner(xcb, XCB_WINDOW_NONE, held->state.selection, held->state.time);
        drop_ownership(held);
    } else {
        held->state.time++;
        xcb_set_selection_owner(xcb, server->window, held->state.selection, held->state.time);
        if (get_owner(server, held->state.selection) != server->window)
            drop_ownership(held);
    }
    xcb_flush(xcb);
    signal_fd(server->wake); /* waiting for the reply may have read events */
}

/* Announces what is due. Returns the milliseconds until the next announcement; -1: none. */
static int announce_due(HfSelectionServer *server)
{
    gint64 now = g_get_monotonic_time(), next = G_MAXINT64;
    for (guint i = 0; i < G_N_ELEMENTS(server->held); i++) {
        Held *held = &server->held[i];
        if (held->announce_us > 0 && held->announce_us <= now)
            announce_content(server, held);
        else if (held->announce_us > 0)
            next = MIN(next, held->announce_us);
    }
    return next == G_MAXINT64 ? -1 : (int)((next - now) / 1000) + 1;
}

static gboolean has_work(const HfSelectionServer *server)
{
    return server->held[0].owned || server->held[1].owned ||
           hf_selection_answerer_get_count(server->answerer) > 0;
}

/* Content belongs to one generation of the X server. When that is over, the files are useless, and
 * another server may already use the same display. If only our connection broke, because a program
 * killed it, the next hand restores the content. */
static void end_serving(HfSelectionServer *server)
{
    gboolean broken = xcb_connection_has_error(server->connection->xcb) != 0;
    g_autoptr(HfX11Connection) again = broken ? hf_x11_connect(server->display, NULL) : NULL;
    for (guint i = 0; i < G_N_ELEMENTS(server->held); i++) {
        Held *held = &server->held[i];
        const char *mark = held->file ? hf_clipboard_file_get_server(held->file) : NULL;
        held->keep_file = !broken || (again && hf_server_generation_matches(again, mark));
        drop_ownership(held);
    }
    g_clear_pointer(&server->answerer, hf_selection_answerer_free);
    g_clear_pointer(&server->connection, hf_x11_disconnect);
    server->running = FALSE;
    signal_fd(server->activity);
}

static int earlier_timeout(int one_ms, int other_ms)
{
    return one_ms < 0 || other_ms < 0 ? MAX(one_ms, other_ms) : MIN(one_ms, other_ms);
}

static gpointer serve_selections(gpointer data)
{
    HfSelectionServer *server = data;
    lock_in_turn(server);
    while (!server->stop && !xcb_connection_has_error(server->connection->xcb)) {
        gboolean more = handle_event_batch(server);
        int limit =
            earlier_timeout(hf_selection_answerer_expire(server->answerer), announce_due(server));
        if (!more && !has_work(server))
            break;
        struct pollfd fds[] = {{xcb_get_file_descriptor(server->connection->xcb), POLLIN, 0},
                               {server->wake, POLLIN, 0}};
        g_mutex_unlock(&server->lock);
        poll(fds, G_N_ELEMENTS(fds), more ? 0 : limit);
        clear_fd(server->wake);
        lock_in_turn(server);
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
    g_mutex_init(&server->next);
    g_mutex_init(&server->lock);
    return server;
}

void hf_selection_server_join(HfSelectionServer *server)
{
    lock_in_turn(server);
    GThread *thread = g_steal_pointer(&server->thread);
    g_mutex_unlock(&server->lock);
    if (thread)
        g_thread_join(thread);
}

void hf_selection_server_free(HfSelectionServer *server)
{
    if (!server)
        return;
    lock_in_turn(server);
    server->stop = TRUE;
    signal_fd(server->wake);
    g_mutex_unlock(&server->lock);
    hf_selection_server_join(server);
    close(server->wake);
    close(server->activity);
    g_mutex_clear(&server->lock);
    g_mutex_clear(&server->next);
    g_free(server->display);
    g_free(server);
}

/* Called with the lock held. */
static gboolean ensure_running(HfSelectionServer *server, GError **error)
{
    if (server->running)
        return hf_x11_check(server->connection, error);
    if (server->thread)
        g_thread_join(g_steal_pointer(&server->thread)); /* it has ended and needs no lock */
    g_autoptr(HfX11Connection) connection = hf_x11_connect(server->display, error);
    if (!connection)
        return FALSE;
    server->window = xcb_generate_id(connection->xcb);
    xcb_create_window(connection->xcb, 0, server->window, connection->root, -1, -1, 1, 1, 0,
                      XCB_WINDOW_CLASS_INPUT_ONLY, XCB_COPY_FROM_PARENT, 0, NULL);
    server->answerer = hf_selection_answerer_new(connection, on_sent, server);
    server->connection = g_steal_pointer(&connection);
    server->running = TRUE;
    server->thread = g_thread_new("selections", serve_selections, server);
    return TRUE;
}

static void adopt_claim(HfSelectionServer *server, Held *held, const HfSelectionClaim *claim)
{
    HfX11Connection *connection = server->connection;
    gboolean known = claim->loan && claim->borrower;
    hf_selection_offer_free(held->state.content);
    hf_selection_offer_free(held->state.loan);
    held->state = (HfSelectionState){
        .selection = held->state.selection,
        .time = claim->time,
        .content = hf_selection_offer_new(connection, claim->content),
        .loan = hf_selection_offer_new(connection, claim->loan),
        .borrower = claim->borrower,
        .borrower_pid = known ? (guint32)hf_x11_pid_of(connection, claim->borrower) : 0,
        .active_us = held->state.active_us,
    };
    held->announce_us = 0;
    held->owned = TRUE;
    if (claim->file) {
        hf_clipboard_file_remove(held->file);
        held->file = claim->file;
    }
}

/* Content that was saved for one server generation must never be served in another. The serving
 * connection itself is checked. */
static gboolean check_generation(HfSelectionServer *server, const HfClipboardFile *file,
                                 GError **error)
{
    if (!file ||
        hf_server_generation_matches(server->connection, hf_clipboard_file_get_server(file)))
        return TRUE;
    return hf_x11_check(server->connection, error) &&
           hf_fail(error, HF_ERROR_DESKTOP_UNAVAILABLE,
                   "the X server '%s' has restarted since the clipboard was saved; try again",
                   server->display ? server->display : "");
}

gboolean hf_selection_server_claim(HfSelectionServer *server, const HfSelectionClaim *claim,
                                   gboolean *ret_taken, GError **error)
{
    g_autoptr(Locked) locked = lock_in_turn(server);
    if (!ensure_running(server, error))
        return FALSE;
    /* Waiting for replies may read events of the thread. */
    signal_fd(server->wake);
    if (!check_generation(server, claim->file, error))
        return FALSE;
    HfSelectionState *state = &server->held[claim->selection].state;
    state->selection = hf_x11_atom(server->connection, hf_selection_name(claim->selection));
    xcb_set_selection_owner(server->connection->xcb, server->window, state->selection, claim->time);
    *ret_taken = get_owner(server, state->selection) == server->window;
    if (*ret_taken)
        adopt_claim(server, &server->held[claim->selection], claim);
    signal_fd(server->wake);
    return hf_x11_check(server->connection, error);
}

gboolean hf_selection_server_get_content(HfSelectionServer *server, HfSelection selection,
                                         HfClipboardData **ret_content, xcb_timestamp_t *ret_time)
{
    g_autoptr(Locked) locked = lock_in_turn(server);
    Held *held = &server->held[selection];
    if (!held->owned)
        return FALSE;
    gboolean ours = get_owner(server, held->state.selection) == server->window;
    signal_fd(server->wake);
    if (!ours)
        return FALSE;
    const HfSelectionOffer *content = held->state.content;
    *ret_content = content ? hf_clipboard_data_ref(hf_selection_offer_get_data(content)) : NULL;
    *ret_time = held->state.time;
    return TRUE;
}

void hf_selection_server_count_fetches(HfSelectionServer *server, HfSelection selection)
{
    g_autoptr(Locked) locked = lock_in_turn(server);
    server->held[selection].state.fetches = 0;
    server->held[selection].state.asks_again = FALSE;
    if (server->running)
        hf_selection_answerer_unwatch(server->answerer);
    clear_fd(server->activity);
}

HfSelectionLoanState hf_selection_server_get_loan(HfSelectionServer *server, HfSelection selection)
{
    g_autoptr(Locked) locked = lock_in_turn(server);
    const Held *held = &server->held[selection];
    clear_fd(server->activity);
    if (held->owned)
        catch_up(server);
    return (HfSelectionLoanState){
        .owned = held->owned,
        .fetches = held->state.fetches,
        .in_progress = server->running ? hf_selection_answerer_get_watched(server->answerer) : 0,
        .active_us = held->state.active_us,
        .asks_again = held->state.asks_again,
        .pid = held->state.borrower_pid};
}

int hf_selection_server_get_activity_fd(HfSelectionServer *server)
{
    return server->activity;
}

void hf_selection_server_end_loan(HfSelectionServer *server, HfSelection selection)
{
    g_autoptr(Locked) locked = lock_in_turn(server);
    Held *held = &server->held[selection];
    g_clear_pointer(&held->state.loan, hf_selection_offer_free);
    if (held->owned)
        held->announce_us = g_get_monotonic_time() + ANNOUNCE_AFTER_US;
    signal_fd(server->wake);
}

int hf_selection_server_keep_file(HfSelectionServer *server, HfSelection selection, char **ret_path)
{
    g_autoptr(Locked) locked = lock_in_turn(server);
    Held *held = &server->held[selection];
    if (!held->owned || !held->file)
        return -1;
    int fd = fcntl(hf_clipboard_file_get_fd(held->file), F_DUPFD_CLOEXEC, 3);
    if (fd < 0)
        return -1;
    held->keep_file = TRUE;
    /* An announcement would take the selection back from the heir, which claims the same time. */
    held->announce_us = 0;
    *ret_path = g_strdup(hf_clipboard_file_get_path(held->file));
    return fd;
}
