/* SPDX-License-Identifier: Apache-2.0 */
/* Answering requests. Whoever asks may be anybody: a program that asks for more than its budget
 * (selection-budget.h) is refused, and one that does not stop then hears nothing. For even a
 * refusal has to be sent, and while the X server lets us wait with that, it has the requests of a
 * flood pile up here. Never more than one piece is written for one thing that was asked for.
 *
 * A loan is visible to the borrowing program alone: others (clipboard managers, synchronisers, the
 * user pasting elsewhere) still get the content. */
#include "hand/x11/selection/selection-answer.h"

#include <stdlib.h>

#include "hand/x11/selection/selection-budget.h"
#include "hand/x11/windows/window-pid.h"
#include "hand/x11/x11-limits.h"

/* What answers cost, in units of the budget: each, more where the X server has to be asked first,
 * and more for many bytes. */
#define COST_PLAIN     1u
#define COST_ENQUIRY   4u
#define BYTES_PER_UNIT (64u * 1024)

struct HfSelectionAnswerer {
    HfX11Connection *connection;
    HfSelectionSender *sender;
    HfSelectionBudget *budget;
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

HfSelectionAnswerer *hf_selection_answerer_new(HfX11Connection *connection,
                                               HfSelectionSender *sender)
{
    HfSelectionAnswerer *answerer = g_new0(HfSelectionAnswerer, 1);
    answerer->connection = connection;
    answerer->sender = sender;
    answerer->budget = hf_selection_budget_new();
    return answerer;
}

void hf_selection_answerer_free(HfSelectionAnswerer *answerer)
{
    if (!answerer)
        return;
    hf_selection_budget_free(answerer->budget);
    g_free(answerer);
}

static gboolean spend_budget(HfSelectionAnswerer *answerer, xcb_window_t requestor, guint cost)
{
    return hf_selection_budget_spend(answerer->budget,
                                     hf_x11_client_of(answerer->connection, requestor), cost,
                                     g_get_monotonic_time());
}

static gboolean is_borrower(HfSelectionAnswerer *answerer, const HfSelectionStock *stock,
                            xcb_window_t window)
{
    HfX11Connection *connection = answerer->connection;
    if (!stock->loan)
        return FALSE;
    if (!stock->borrower ||
        hf_x11_client_of(connection, window) == hf_x11_client_of(connection, stock->borrower))
        return TRUE;
    return stock->borrower_pid && spend_budget(answerer, window, COST_ENQUIRY) &&
           (guint32)hf_x11_pid_of(connection, window) == stock->borrower_pid;
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

static gboolean send_format(HfSelectionAnswerer *answerer, const HfSelectionOffer *offer,
                            HfSelectionPart part, xcb_atom_t target)
{
    for (guint i = 0; i < hf_clipboard_data_get_count(offer->data); i++) {
        if (offer->targets[i] != target)
            continue;
        const HfClipboardFormat *format = hf_clipboard_data_get(offer->data, i);
        gsize bytes = MIN(g_bytes_get_size(format->bytes), HF_SELECTION_PIECE_BYTES);
        if (!spend_budget(answerer, part.requestor, (guint)(bytes / BYTES_PER_UNIT)))
            return FALSE;
        part.type = offer->types[i];
        part.unit = format->unit;
        part.bytes = format->bytes;
        part.watched = part.watched && !g_str_equal(format->target, HF_CLIPBOARD_SECRET_TARGET);
        return hf_selection_send(answerer->sender, &part);
    }
    return FALSE;
}

/* Puts the offer as `target` into the property; FALSE when it does not exist in that form. */
static gboolean convert_offer(HfSelectionAnswerer *answerer, const HfSelectionStock *stock,
                              const HfSelectionOffer *offer, xcb_window_t requestor,
                              xcb_atom_t target, xcb_atom_t property)
{
    HfX11Connection *connection = answerer->connection;
    if (target == hf_x11_atom(connection, "TARGETS"))
        send_atoms(answerer, requestor, property, offer);
    else if (target == hf_x11_atom(connection, "TIMESTAMP"))
        xcb_change_property(connection->xcb, XCB_PROP_MODE_REPLACE, requestor, property,
                            XCB_ATOM_INTEGER, 32, 1, &stock->time);
    else if (target == hf_x11_atom(connection, "SAVE_TARGETS"))
        xcb_change_property(connection->xcb, XCB_PROP_MODE_REPLACE, requestor, property,
                            hf_x11_atom(connection, "NULL"), 32, 0, NULL);
    else
        return send_format(answerer, offer,
                           (HfSelectionPart){.requestor = requestor,
                                             .property = property,
                                             .watched = offer == stock->loan},
                           target);
    return TRUE;
}

/* MULTIPLE: pairs of target and property in a property; a target that failed becomes None. */
static gboolean convert_multiple(HfSelectionAnswerer *answerer, const HfSelectionStock *stock,
                                 const HfSelectionOffer *offer, xcb_window_t requestor,
                                 xcb_atom_t property)
{
    xcb_connection_t *xcb = answerer->connection->xcb;
    if (!spend_budget(answerer, requestor, COST_ENQUIRY))
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
            !convert_offer(answerer, stock, offer, requestor, target, into))
            pairs[2 * i] = XCB_ATOM_NONE;
    }
    xcb_change_property(xcb, XCB_PROP_MODE_REPLACE, requestor, property, reply->type, 32, 2 * count,
                        pairs);
    free(reply);
    return TRUE;
}

static gboolean fulfil_request(HfSelectionAnswerer *answerer, const HfSelectionStock *stock,
                               const HfSelectionOffer *offer,
                               const xcb_selection_request_event_t *request)
{
    xcb_atom_t property = request->property ? request->property : request->target;
    if (request->target != hf_x11_atom(answerer->connection, "MULTIPLE"))
        return convert_offer(answerer, stock, offer, request->requestor, request->target, property);
    return request->property &&
           convert_multiple(answerer, stock, offer, request->requestor, request->property);
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

gboolean hf_selection_answer(HfSelectionAnswerer *answerer, HfSelectionStock *stock,
                             const xcb_selection_request_event_t *request)
{
    if (!spend_budget(answerer, request->requestor, COST_PLAIN))
        return FALSE;
    /* Before its time: meant for whoever owned the selection before us. */
    if (!stock || (request->time && (gint32)(request->time - stock->time) < 0)) {
        notify_requestor(answerer, request, FALSE);
        return FALSE;
    }
    gboolean borrows = is_borrower(answerer, stock, request->requestor);
    const HfSelectionOffer *offer = borrows ? stock->loan : stock->content;
    if (borrows) {
        stock->insists |= stock->fetches > 0;
        stock->active_us = g_get_monotonic_time();
    }
    notify_requestor(answerer, request, offer && fulfil_request(answerer, stock, offer, request));
    return borrows;
}
