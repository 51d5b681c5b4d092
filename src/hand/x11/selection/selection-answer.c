/* SPDX-License-Identifier: Apache-2.0 */
/* Answers requests and carries the transfers out. Any program may ask, and none is trusted:
 * - A program that exceeds its budget (selection-budget.h) is refused, and one that goes on gets no
 *   answer at all. Even a refusal must be sent, and while the X server makes us wait with that, the
 *   requests of a flood would pile up here.
 * - Content that fits goes in one property. More goes piece by piece (INCR), each when the
 * requestor has deleted the one before. Nothing here waits. A requestor that dies or stalls loses
 * only its own transfer, one that begins many has its own limit, and one that is slow on purpose is
 * given up.
 *
 * Only the borrowing program sees a loan. Others (clipboard managers, synchronisers, the user
 * pasting elsewhere) still get the content. */
#include "hand/x11/selection/selection-answer.h"

#include <stdlib.h>

#include "hand/x11/selection/selection-budget.h"
#include "hand/x11/windows/window-pid.h"
#include "hand/x11/x11-limits.h"

/* The size of a piece, as in other toolkits: small enough for any server, large enough to be quick.
 */
#define PIECE_BYTES (256u * 1024)
/* The cost of an answer, in units of the budget: more when the X server must be queried first, and
 * more for many bytes. */
#define COST_PLAIN     1u
#define COST_QUERY     4u
#define BYTES_PER_UNIT (64u * 1024)

/* How long a watched requestor may take to delete the last property; some never do, although they
 * have read it. */
#define UNDELETED_MS 250

/* One format on its way to a requestor. */
typedef struct Part {
    xcb_window_t requestor;
    xcb_atom_t property, type;
    int unit; /* 8, 16 or 32 bits */
    GBytes *bytes;
    gboolean watched; /* report when the requestor has read it */
} Part;

typedef struct Transfer {
    Part part;
    gsize offset;      /* bytes written so far */
    gboolean ended;    /* everything is written, with the empty piece that ends INCR */
    guint32 written;   /* the sequence number of the last write */
    gint64 stalled_us; /* when it counts as stalled */
    gint64 expires_us; /* when it is given up in any case */
} Transfer;

struct HfSelectionAnswerer {
    HfX11Connection *connection;
    HfSelectionBudget *budget;
    gsize piece_bytes;
    xcb_atom_t incr;
    GPtrArray *transfers; /* of Transfer */
    HfSelectionSent sent;
    gpointer data;
};

struct HfSelectionOffer {
    HfClipboardData *data;
    xcb_atom_t *targets, *types;
};

void hf_selection_offer_free(HfSelectionOffer *offer)
{
    if (!offer)
        return;
    hf_clipboard_data_unref(offer->data);
    g_free(offer->targets);
    g_free(offer->types);
    g_free(offer);
}

HfSelectionOffer *hf_selection_offer_new(HfX11Connection *connection, HfClipboardData *data)
{
    if (!data)
        return NULL;
    guint count = hf_clipboard_data_get_count(data);
    HfSelectionOffer *offer = g_new0(HfSelectionOffer, 1);
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

HfClipboardData *hf_selection_offer_get_data(const HfSelectionOffer *offer)
{
    return offer->data;
}

static void transfer_free(gpointer pointer)
{
    Transfer *transfer = pointer;
    g_bytes_unref(transfer->part.bytes);
    g_free(transfer);
}

HfSelectionAnswerer *hf_selection_answerer_new(HfX11Connection *connection, HfSelectionSent sent,
                                               gpointer data)
{
    HfSelectionAnswerer *answerer = g_new0(HfSelectionAnswerer, 1);
    gsize largest = (gsize)xcb_get_maximum_request_length(connection->xcb) * 4;
    answerer->connection = connection;
    answerer->budget = hf_selection_budget_new();
    answerer->piece_bytes = MIN(PIECE_BYTES, (largest - 128) & ~(gsize)3);
    answerer->incr = hf_x11_atom(connection, "INCR");
    answerer->transfers = g_ptr_array_new_with_free_func(transfer_free);
    answerer->sent = sent;
    answerer->data = data;
    return answerer;
}

void hf_selection_answerer_free(HfSelectionAnswerer *answerer)
{
    if (!answerer)
        return;
    hf_selection_budget_free(answerer->budget);
    g_ptr_array_unref(answerer->transfers);
    g_free(answerer);
}

guint hf_selection_answerer_get_count(const HfSelectionAnswerer *answerer)
{
    return answerer->transfers->len;
}

guint hf_selection_answerer_get_watched(const HfSelectionAnswerer *answerer)
{
    guint count = 0;
    for (guint i = 0; i < answerer->transfers->len; i++)
        count += ((Transfer *)answerer->transfers->pdata[i])->part.watched ? 1 : 0;
    return count;
}

void hf_selection_answerer_unwatch(HfSelectionAnswerer *answerer)
{
    for (guint i = 0; i < answerer->transfers->len; i++)
        ((Transfer *)answerer->transfers->pdata[i])->part.watched = FALSE;
}

static void watch_requestor(HfSelectionAnswerer *answerer, xcb_window_t window, gboolean watch)
{
    guint32 mask = watch ? XCB_EVENT_MASK_PROPERTY_CHANGE | XCB_EVENT_MASK_STRUCTURE_NOTIFY : 0;
    xcb_change_window_attributes(answerer->connection->xcb, window, XCB_CW_EVENT_MASK, &mask);
}

static guint32 write_property(HfSelectionAnswerer *answerer, const Part *part, gsize offset,
                              gsize length)
{
    const char *bytes = g_bytes_get_data(part->bytes, NULL);
    xcb_void_cookie_t cookie = xcb_change_property(
        answerer->connection->xcb, XCB_PROP_MODE_REPLACE, part->requestor, part->property,
        part->type, (guint8)part->unit, (guint32)(length / ((gsize)part->unit / 8)),
        bytes ? bytes + offset : "");
    return cookie.sequence;
}

static void set_limit(Transfer *transfer, gint64 milliseconds)
{
    transfer->stalled_us = MIN(g_get_monotonic_time() + milliseconds * 1000, transfer->expires_us);
}

static gboolean has_transfer(HfSelectionAnswerer *answerer, xcb_window_t window)
{
    for (guint i = 0; i < answerer->transfers->len; i++)
        if (((Transfer *)answerer->transfers->pdata[i])->part.requestor == window)
            return TRUE;
    return FALSE;
}

/* `complete`: the requestor has read everything; otherwise the transfer was given up. */
static void end_transfer(HfSelectionAnswerer *answerer, guint index, gboolean complete)
{
    Transfer *transfer = g_ptr_array_steal_index(answerer->transfers, index);
    gboolean watched = transfer->part.watched;
    if (!has_transfer(answerer, transfer->part.requestor))
        watch_requestor(answerer, transfer->part.requestor, FALSE);
    transfer_free(transfer);
    if (watched)
        answerer->sent(answerer->data, complete);
}

/* A new request for the same property replaces the transfer before it. */
static void end_superseded_transfers(HfSelectionAnswerer *answerer, const Part *part)
{
    for (guint i = answerer->transfers->len; i-- > 0;) {
        const Transfer *transfer = answerer->transfers->pdata[i];
        if (transfer->part.requestor == part->requestor &&
            transfer->part.property == part->property)
            end_transfer(answerer, i, transfer->ended);
    }
}

static gboolean has_transfer_slot(HfSelectionAnswerer *answerer, xcb_window_t requestor)
{
    guint32 client = hf_x11_client_of(answerer->connection, requestor);
    guint own = 0;
    for (guint i = 0; i < answerer->transfers->len; i++) {
        const Transfer *transfer = answerer->transfers->pdata[i];
        own += hf_x11_client_of(answerer->connection, transfer->part.requestor) == client ? 1 : 0;
    }
    return answerer->transfers->len < HF_LIMIT_CLIPBOARD_TRANSFERS &&
           own < HF_LIMIT_CLIPBOARD_TRANSFERS_OF_ONE;
}

/* The bytes that transfers keep in memory; shared content counts once. */
static gsize count_transfer_bytes(const HfSelectionAnswerer *answerer)
{
    gsize size = 0;
    for (guint i = 0; i < answerer->transfers->len; i++) {
        const Transfer *transfer = answerer->transfers->pdata[i];
        gboolean counted = FALSE;
        for (guint k = 0; k < i && !counted; k++)
            counted =
                ((Transfer *)answerer->transfers->pdata[k])->part.bytes == transfer->part.bytes;
        size += counted ? 0 : g_bytes_get_size(transfer->part.bytes);
    }
    return size;
}

/* Replaced content must not pile up behind stalled requestors. The oldest transfers go first; the
 * newest is the one that was just requested. */
static void limit_bytes(HfSelectionAnswerer *answerer)
{
    while (answerer->transfers->len > 1 &&
           count_transfer_bytes(answerer) > HF_LIMIT_CLIPBOARD_SENDING_BYTES)
        end_transfer(answerer, 0, FALSE);
}

/* Writes the property, or begins an INCR transfer. FALSE: too many transfers are in progress. */
static gboolean send_part(HfSelectionAnswerer *answerer, const Part *part)
{
    gsize size = g_bytes_get_size(part->bytes);
    gboolean whole = size <= answerer->piece_bytes;
    end_superseded_transfers(answerer, part);
    if (whole && !part->watched) {
        write_property(answerer, part, 0, size);
        return TRUE;
    }
    if (!has_transfer_slot(answerer, part->requestor))
        return FALSE;
    Transfer *transfer = g_new0(Transfer, 1);
    transfer->part = *part;
    g_bytes_ref(part->bytes);
    transfer->expires_us = g_get_monotonic_time() + HF_LIMIT_CLIPBOARD_TRANSFER_MS * 1000LL;
    g_ptr_array_add(answerer->transfers, transfer);
    limit_bytes(answerer);
    watch_requestor(answerer, part->requestor, TRUE);
    if (whole) {
        transfer->ended = TRUE;
        transfer->written = write_property(answerer, part, 0, size);
        set_limit(transfer, UNDELETED_MS);
    } else {
        guint32 announced = (guint32)size;
        xcb_change_property(answerer->connection->xcb, XCB_PROP_MODE_REPLACE, part->requestor,
                            part->property, answerer->incr, 32, 1, &announced);
        set_limit(transfer, HF_LIMIT_CLIPBOARD_STALL_MS);
    }
    return TRUE;
}

/* Writes the next piece after the requestor has deleted the last one. An empty piece ends the
 * transfer; its deletion says that the requestor has seen the end. */
static void send_next_piece(HfSelectionAnswerer *answerer, guint index)
{
    Transfer *transfer = answerer->transfers->pdata[index];
    if (transfer->ended) {
        end_transfer(answerer, index, TRUE);
        return;
    }
    gsize left = g_bytes_get_size(transfer->part.bytes) - transfer->offset;
    gsize length = MIN(left, answerer->piece_bytes);
    transfer->written = write_property(answerer, &transfer->part, transfer->offset, length);
    transfer->offset += length;
    transfer->ended = length == 0;
    set_limit(transfer, transfer->ended ? UNDELETED_MS : HF_LIMIT_CLIPBOARD_STALL_MS);
    if (transfer->part.watched)
        answerer->sent(answerer->data, FALSE);
}

/* A window that is destroyed after the last write may have been read: GTK 3 makes one for a single
 * request and destroys it with the text inside. `destroyed` is NULL when it was gone before. */
static void drop_window(HfSelectionAnswerer *answerer, xcb_window_t window,
                        const xcb_generic_event_t *destroyed)
{
    for (guint i = answerer->transfers->len; i-- > 0;) {
        const Transfer *transfer = answerer->transfers->pdata[i];
        if (transfer->part.requestor == window)
            end_transfer(answerer, i,
                         transfer->ended && destroyed &&
                             (gint32)(destroyed->full_sequence - transfer->written) >= 0);
    }
}

static void on_property_deleted(HfSelectionAnswerer *answerer, xcb_window_t window,
                                xcb_atom_t property)
{
    for (guint i = 0; i < answerer->transfers->len; i++) {
        const Transfer *transfer = answerer->transfers->pdata[i];
        if (transfer->part.requestor == window && transfer->part.property == property) {
            send_next_piece(answerer, i);
            return;
        }
    }
}

void hf_selection_answerer_handle(HfSelectionAnswerer *answerer, const xcb_generic_event_t *event)
{
    const xcb_property_notify_event_t *property = (gconstpointer)event;
    const xcb_destroy_notify_event_t *gone = (gconstpointer)event;
    const xcb_generic_error_t *problem = (gconstpointer)event;
    switch (event->response_type) { /* events from programs have another bit and are ignored */
    case XCB_PROPERTY_NOTIFY:
        if (property->state == XCB_PROPERTY_DELETE)
            on_property_deleted(answerer, property->window, property->atom);
        break;
    case XCB_DESTROY_NOTIFY:
        drop_window(answerer, gone->window, event);
        break;
    case 0: /* an error: the window was gone before we could watch it */
        if (problem->error_code == XCB_WINDOW)
            drop_window(answerer, problem->resource_id, NULL);
        break;
    default:
        break;
    }
}

int hf_selection_answerer_expire(HfSelectionAnswerer *answerer)
{
    gint64 now = g_get_monotonic_time(), next = G_MAXINT64;
    for (guint i = answerer->transfers->len; i-- > 0;) {
        const Transfer *transfer = answerer->transfers->pdata[i];
        if (transfer->stalled_us <= now)
            end_transfer(answerer, i, transfer->ended);
        else
            next = MIN(next, transfer->stalled_us);
    }
    return next == G_MAXINT64 ? -1 : (int)((next - now) / 1000) + 1;
}

static gboolean spend_budget(HfSelectionAnswerer *answerer, xcb_window_t requestor, guint cost)
{
    return hf_selection_budget_spend(answerer->budget,
                                     hf_x11_client_of(answerer->connection, requestor), cost,
                                     g_get_monotonic_time());
}

static gboolean is_borrower(HfSelectionAnswerer *answerer, const HfSelectionState *state,
                            xcb_window_t window)
{
    HfX11Connection *connection = answerer->connection;
    if (!state->loan)
        return FALSE;
    if (!state->borrower ||
        hf_x11_client_of(connection, window) == hf_x11_client_of(connection, state->borrower))
        return TRUE;
    return state->borrower_pid && spend_budget(answerer, window, COST_QUERY) &&
           (guint32)hf_x11_pid_of(connection, window) == state->borrower_pid;
}

static void send_atoms(HfSelectionAnswerer *answerer, xcb_window_t requestor, xcb_atom_t property,
                       const HfSelectionOffer *offer)
{
    static const char *const own[] = {"TARGETS", "TIMESTAMP", "MULTIPLE", "SAVE_TARGETS"};
    g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(xcb_atom_t));
    for (guint i = 0; i < G_N_ELEMENTS(own); i++) {
        xcb_atom_t atom = hf_x11_atom(answerer->connection, own[i]);
        g_array_append_val(atoms, atom);
    }
    g_array_append_vals(atoms, offer->targets, hf_clipboard_data_get_count(offer->data));
    xcb_change_property(answerer->connection->xcb, XCB_PROP_MODE_REPLACE, requestor, property,
                        XCB_ATOM_ATOM, 32, atoms->len, atoms->data);
}

static gboolean send_format(HfSelectionAnswerer *answerer, const HfSelectionOffer *offer, Part part,
                            xcb_atom_t target)
{
    for (guint i = 0; i < hf_clipboard_data_get_count(offer->data); i++) {
        if (offer->targets[i] != target)
            continue;
        const HfClipboardFormat *format = hf_clipboard_data_get(offer->data, i);
        gsize bytes = MIN(g_bytes_get_size(format->bytes), PIECE_BYTES);
        if (!spend_budget(answerer, part.requestor, (guint)(bytes / BYTES_PER_UNIT)))
            return FALSE;
        part.type = offer->types[i];
        part.unit = format->unit;
        part.bytes = format->bytes;
        part.watched = part.watched && !g_str_equal(format->target, HF_CLIPBOARD_SECRET_TARGET);
        return send_part(answerer, &part);
    }
    return FALSE;
}

/* Writes the offer as `target` into the property; FALSE when it has no such format. */
static gboolean convert_offer(HfSelectionAnswerer *answerer, const HfSelectionState *state,
                              const HfSelectionOffer *offer, xcb_window_t requestor,
                              xcb_atom_t target, xcb_atom_t property)
{
    HfX11Connection *connection = answerer->connection;
    if (target == hf_x11_atom(connection, "TARGETS"))
        send_atoms(answerer, requestor, property, offer);
    else if (target == hf_x11_atom(connection, "TIMESTAMP"))
        xcb_change_property(connection->xcb, XCB_PROP_MODE_REPLACE, requestor, property,
                            XCB_ATOM_INTEGER, 32, 1, &state->time);
    else if (target == hf_x11_atom(connection, "SAVE_TARGETS"))
        xcb_change_property(connection->xcb, XCB_PROP_MODE_REPLACE, requestor, property,
                            hf_x11_atom(connection, "NULL"), 32, 0, NULL);
    else
        return send_format(
            answerer, offer,
            (Part){.requestor = requestor, .property = property, .watched = offer == state->loan},
            target);
    return TRUE;
}

/* MULTIPLE: a property lists pairs of target and property; a target that fails becomes None. */
static gboolean convert_multiple(HfSelectionAnswerer *answerer, const HfSelectionState *state,
                                 const HfSelectionOffer *offer, xcb_window_t requestor,
                                 xcb_atom_t property)
{
    xcb_connection_t *xcb = answerer->connection->xcb;
    if (!spend_budget(answerer, requestor, COST_QUERY))
        return FALSE;
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
    xcb_atom_t multiple = hf_x11_atom(answerer->connection, "MULTIPLE");
    for (guint i = 0; i < count; i++) {
        xcb_atom_t target = pairs[2 * i], into = pairs[2 * i + 1];
        if (target == multiple || !into || !spend_budget(answerer, requestor, COST_PLAIN) ||
            !convert_offer(answerer, state, offer, requestor, target, into))
            pairs[2 * i] = XCB_ATOM_NONE;
    }
    xcb_change_property(xcb, XCB_PROP_MODE_REPLACE, requestor, property, reply->type, 32, 2 * count,
                        pairs);
    free(reply);
    return TRUE;
}

static gboolean fulfil_request(HfSelectionAnswerer *answerer, const HfSelectionState *state,
                               const HfSelectionOffer *offer,
                               const xcb_selection_request_event_t *request)
{
    xcb_atom_t property = request->property ? request->property : request->target;
    if (request->target != hf_x11_atom(answerer->connection, "MULTIPLE"))
        return convert_offer(answerer, state, offer, request->requestor, request->target, property);
    return request->property &&
           convert_multiple(answerer, state, offer, request->requestor, request->property);
}

static void notify_requestor(HfSelectionAnswerer *answerer,
                             const xcb_selection_request_event_t *request, gboolean done)
{
    xcb_atom_t property = request->property ? request->property : request->target;
    union {
        xcb_selection_notify_event_t notify;
        char bytes[32];
    } reply = {.notify = {.response_type = XCB_SELECTION_NOTIFY,
                          .time = request->time,
                          .requestor = request->requestor,
                          .selection = request->selection,
                          .target = request->target,
                          .property = done ? property : XCB_ATOM_NONE}};
    xcb_send_event(answerer->connection->xcb, 0, request->requestor, 0, reply.bytes);
}

gboolean hf_selection_answer(HfSelectionAnswerer *answerer, HfSelectionState *state,
                             const xcb_selection_request_event_t *request)
{
    if (!spend_budget(answerer, request->requestor, COST_PLAIN))
        return FALSE;
    /* A request from before our time was meant for the previous owner. */
    if (!state || (request->time && (gint32)(request->time - state->time) < 0)) {
        notify_requestor(answerer, request, FALSE);
        return FALSE;
    }
    gboolean borrows = is_borrower(answerer, state, request->requestor);
    const HfSelectionOffer *offer = borrows ? state->loan : state->content;
    if (borrows) {
        state->asks_again |= state->fetches > 0;
        state->active_us = g_get_monotonic_time();
    }
    notify_requestor(answerer, request, offer && fulfil_request(answerer, state, offer, request));
    return borrows;
}
