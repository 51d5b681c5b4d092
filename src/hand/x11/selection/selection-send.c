/* SPDX-License-Identifier: Apache-2.0 */
/* Transfers to requestors. What fits goes in one property; more goes piece by piece (INCR), each
 * when the requestor has deleted the one before. A requestor that dies or stands still costs
 * nothing but its own transfer; one that begins many has its own share of them; one that is slow on
 * purpose is given up in the end. Nothing here waits. */
#include "hand/x11/selection/selection-send.h"

#include <string.h>

#include "hand/x11/windows/window-pid.h"
#include "hand/x11/x11-limits.h"

/* How long a watched requestor may take to delete a property that came in one piece; some never
 * do, although they have read it. */
#define UNDELETED_MS 250

typedef struct Transfer {
    HfSelectionPart part;
    gsize offset;    /* how much has been written */
    gboolean ended;  /* all has been written, also the empty piece that ends INCR */
    guint32 written; /* the request that wrote last */
    gint64 until_us; /* when it counts as standing still */
    gint64 last_us;  /* when it is given up in any case */
} Transfer;

struct HfSelectionSender {
    HfX11Connection *connection;
    gsize piece_bytes;
    xcb_atom_t incr;
    GPtrArray *transfers; /* of Transfer */
    HfSelectionSent sent;
    gpointer data;
};

static void transfer_free(gpointer pointer)
{
    Transfer *transfer = pointer;
    g_bytes_unref(transfer->part.bytes);
    g_free(transfer);
}

HfSelectionSender *hf_selection_sender_new(HfX11Connection *connection, HfSelectionSent sent,
                                           gpointer data)
{
    HfSelectionSender *sender = g_new0(HfSelectionSender, 1);
    gsize largest = (gsize)xcb_get_maximum_request_length(connection->xcb) * 4;
    sender->connection = connection;
    sender->piece_bytes = MIN(HF_SELECTION_PIECE_BYTES, (largest - 128) & ~(gsize)3);
    sender->incr = hf_x11_atom(connection, "INCR");
    sender->transfers = g_ptr_array_new_with_free_func(transfer_free);
    sender->sent = sent;
    sender->data = data;
    return sender;
}

void hf_selection_sender_free(HfSelectionSender *sender)
{
    if (!sender)
        return;
    g_ptr_array_unref(sender->transfers);
    g_free(sender);
}

guint hf_selection_sender_get_count(const HfSelectionSender *sender)
{
    return sender->transfers->len;
}

guint hf_selection_sender_get_watched(const HfSelectionSender *sender)
{
    guint count = 0;
    for (guint i = 0; i < sender->transfers->len; i++)
        count += ((Transfer *)sender->transfers->pdata[i])->part.watched ? 1 : 0;
    return count;
}

void hf_selection_sender_unwatch(HfSelectionSender *sender)
{
    for (guint i = 0; i < sender->transfers->len; i++)
        ((Transfer *)sender->transfers->pdata[i])->part.watched = FALSE;
}

static void watch_requestor(HfSelectionSender *sender, xcb_window_t window, gboolean watch)
{
    guint32 mask = watch ? XCB_EVENT_MASK_PROPERTY_CHANGE | XCB_EVENT_MASK_STRUCTURE_NOTIFY : 0;
    xcb_change_window_attributes(sender->connection->xcb, window, XCB_CW_EVENT_MASK, &mask);
}

static guint32 write_property(HfSelectionSender *sender, const HfSelectionPart *part, gsize offset,
                              gsize length)
{
    const char *bytes = g_bytes_get_data(part->bytes, NULL);
    xcb_void_cookie_t cookie = xcb_change_property(
        sender->connection->xcb, XCB_PROP_MODE_REPLACE, part->requestor, part->property, part->type,
        (guint8)part->unit, (guint32)(length / ((gsize)part->unit / 8)),
        bytes ? bytes + offset : "");
    return cookie.sequence;
}

static void write_incr(HfSelectionSender *sender, const HfSelectionPart *part)
{
    guint32 size = (guint32)g_bytes_get_size(part->bytes);
    xcb_change_property(sender->connection->xcb, XCB_PROP_MODE_REPLACE, part->requestor,
                        part->property, sender->incr, 32, 1, &size);
}

static void set_limit(Transfer *transfer, gint64 milliseconds)
{
    transfer->until_us = MIN(g_get_monotonic_time() + milliseconds * 1000, transfer->last_us);
}

static gboolean has_transfer(HfSelectionSender *sender, xcb_window_t window)
{
    for (guint i = 0; i < sender->transfers->len; i++)
        if (((Transfer *)sender->transfers->pdata[i])->part.requestor == window)
            return TRUE;
    return FALSE;
}

/* `complete`: the requestor has it all; else it was given up. Either way whoever waits is told. */
static void end_transfer(HfSelectionSender *sender, guint index, gboolean complete)
{
    Transfer *transfer = g_ptr_array_steal_index(sender->transfers, index);
    gboolean told = transfer->part.watched;
    if (!has_transfer(sender, transfer->part.requestor))
        watch_requestor(sender, transfer->part.requestor, FALSE);
    transfer_free(transfer);
    if (told)
        sender->sent(sender->data, complete);
}

/* A requestor that asks again into the same property has no use for what was sent before. */
static void end_superseded_transfers(HfSelectionSender *sender, const HfSelectionPart *part)
{
    for (guint i = sender->transfers->len; i-- > 0;) {
        const Transfer *transfer = sender->transfers->pdata[i];
        if (transfer->part.requestor == part->requestor &&
            transfer->part.property == part->property)
            end_transfer(sender, i, transfer->ended);
    }
}

static gboolean has_transfer_slot(HfSelectionSender *sender, xcb_window_t requestor)
{
    guint32 client = hf_x11_client_of(sender->connection, requestor);
    guint own = 0;
    for (guint i = 0; i < sender->transfers->len; i++) {
        const Transfer *transfer = sender->transfers->pdata[i];
        own += hf_x11_client_of(sender->connection, transfer->part.requestor) == client ? 1 : 0;
    }
    return sender->transfers->len < HF_LIMIT_CLIPBOARD_TRANSFERS &&
           own < HF_LIMIT_CLIPBOARD_TRANSFERS_OF_ONE;
}

/* The bytes that transfers keep in memory, each piece of content counted once. */
static gsize count_transfer_bytes(const HfSelectionSender *sender)
{
    gsize size = 0;
    for (guint i = 0; i < sender->transfers->len; i++) {
        const Transfer *transfer = sender->transfers->pdata[i];
        gboolean counted = FALSE;
        for (guint k = 0; k < i && !counted; k++)
            counted = ((Transfer *)sender->transfers->pdata[k])->part.bytes == transfer->part.bytes;
        size += counted ? 0 : g_bytes_get_size(transfer->part.bytes);
    }
    return size;
}

/* Contents that were replaced long ago must not pile up behind requestors that stand still. The
 * oldest come first; the newest is the one that was just asked for. */
static void limit_bytes(HfSelectionSender *sender)
{
    while (sender->transfers->len > 1 &&
           count_transfer_bytes(sender) > HF_LIMIT_CLIPBOARD_SENDING_BYTES)
        end_transfer(sender, 0, FALSE);
}

gboolean hf_selection_send(HfSelectionSender *sender, const HfSelectionPart *part)
{
    gsize size = g_bytes_get_size(part->bytes);
    gboolean whole = size <= sender->piece_bytes;
    end_superseded_transfers(sender, part);
    if (whole && !part->watched) {
        write_property(sender, part, 0, size);
        return TRUE;
    }
    if (!has_transfer_slot(sender, part->requestor))
        return FALSE;
    Transfer *transfer = g_new0(Transfer, 1);
    transfer->part = *part;
    g_bytes_ref(part->bytes);
    transfer->last_us = g_get_monotonic_time() + HF_LIMIT_CLIPBOARD_TRANSFER_MS * 1000LL;
    g_ptr_array_add(sender->transfers, transfer);
    limit_bytes(sender);
    watch_requestor(sender, part->requestor, TRUE);
    if (whole) {
        transfer->ended = TRUE;
        transfer->written = write_property(sender, part, 0, size);
        set_limit(transfer, UNDELETED_MS);
    } else {
        write_incr(sender, part);
        set_limit(transfer, HF_LIMIT_CLIPBOARD_STALL_MS);
    }
    return TRUE;
}

/* The requestor has deleted what was written before: write the next piece. The empty one ends it;
 * its deletion says that the requestor has seen the end. */
static void send_next_piece(HfSelectionSender *sender, guint index)
{
    Transfer *transfer = sender->transfers->pdata[index];
    if (transfer->ended) {
        end_transfer(sender, index, TRUE);
        return;
    }
    gsize left = g_bytes_get_size(transfer->part.bytes) - transfer->offset;
    gsize length = MIN(left, sender->piece_bytes);
    transfer->written = write_property(sender, &transfer->part, transfer->offset, length);
    transfer->offset += length;
    transfer->ended = length == 0;
    set_limit(transfer, transfer->ended ? UNDELETED_MS : HF_LIMIT_CLIPBOARD_STALL_MS);
    if (transfer->part.watched)
        sender->sent(sender->data, FALSE);
}

/* A window that went after everything had been written to it may have been read: GTK 3 makes one
 * for a single request and destroys it with the text inside. `destroyed` is NULL when it had gone
 * before.
 */
static void drop_window(HfSelectionSender *sender, xcb_window_t window,
                        const xcb_generic_event_t *destroyed)
{
    for (guint i = sender->transfers->len; i-- > 0;) {
        const Transfer *transfer = sender->transfers->pdata[i];
        if (transfer->part.requestor == window)
            end_transfer(sender, i,
                         transfer->ended && destroyed &&
                             (gint32)(destroyed->full_sequence - transfer->written) >= 0);
    }
}

static void property_deleted(HfSelectionSender *sender, xcb_window_t window, xcb_atom_t property)
{
    for (guint i = 0; i < sender->transfers->len; i++) {
        const Transfer *transfer = sender->transfers->pdata[i];
        if (transfer->part.requestor == window && transfer->part.property == property) {
            send_next_piece(sender, i);
            return;
        }
    }
}

void hf_selection_sender_handle(HfSelectionSender *sender, const xcb_generic_event_t *event)
{
    const xcb_property_notify_event_t *property = (gconstpointer)event;
    const xcb_destroy_notify_event_t *gone = (gconstpointer)event;
    const xcb_generic_error_t *problem = (gconstpointer)event;
    switch (event->response_type) { /* the X server's own: those of programs have another bit */
    case XCB_PROPERTY_NOTIFY:
        if (property->state == XCB_PROPERTY_DELETE)
            property_deleted(sender, property->window, property->atom);
        break;
    case XCB_DESTROY_NOTIFY:
        drop_window(sender, gone->window, event);
        break;
    case 0: /* the window had gone before we could watch it */
        if (problem->error_code == XCB_WINDOW)
            drop_window(sender, problem->resource_id, NULL);
        break;
    default:
        break;
    }
}

int hf_selection_sender_expire(HfSelectionSender *sender)
{
    gint64 now = g_get_monotonic_time(), next = G_MAXINT64;
    for (guint i = sender->transfers->len; i-- > 0;) {
        const Transfer *transfer = sender->transfers->pdata[i];
        if (transfer->until_us <= now)
            end_transfer(sender, i, transfer->ended);
        else
            next = MIN(next, transfer->until_us);
    }
    return next == G_MAXINT64 ? -1 : (int)((next - now) / 1000) + 1;
}
