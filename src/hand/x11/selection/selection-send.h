/* SPDX-License-Identifier: Apache-2.0 */
/* Handing content to programs that ask for it: one transfer for each format that is under way,
 * many at once. Belongs to the serving thread; has no lock of its own. */
#pragma once

#include "hand/x11/core/connection.h"

/* As other toolkits do: small enough for any server, large enough to be quick. */
#define HF_SELECTION_PIECE_BYTES (256u * 1024)

typedef struct HfSelectionSender HfSelectionSender;

typedef struct HfSelectionPart {
    xcb_window_t requestor;
    xcb_atom_t property, type;
    int unit; /* 8, 16 or 32 bits */
    GBytes *bytes;
    gboolean watched; /* tell when the requestor has read it */
} HfSelectionPart;

/* Called for watched parts: each time the requestor has read a piece, and when the transfer has
 * ended, with `complete` if the requestor has read everything. */
typedef void (*HfSelectionSent)(gpointer data, gboolean complete);

HfSelectionSender *hf_selection_sender_new(HfX11Connection *connection, HfSelectionSent sent,
                                           gpointer data);
void hf_selection_sender_free(HfSelectionSender *sender);

/* Writes the property, or the first step of an INCR transfer. FALSE: too many are under way, of all
 * programs or of this one. */
gboolean hf_selection_send(HfSelectionSender *sender, const HfSelectionPart *part);
/* Events that concern transfers: properties read, windows destroyed, errors. */
void hf_selection_sender_handle(HfSelectionSender *sender, const xcb_generic_event_t *event);

guint hf_selection_sender_get_count(const HfSelectionSender *sender);
guint hf_selection_sender_get_watched(const HfSelectionSender *sender);
void hf_selection_sender_unwatch(HfSelectionSender *sender);
/* Gives up transfers that stand still. Returns the milliseconds until the next may have to be; -1:
 * none is under way. */
int hf_selection_sender_expire(HfSelectionSender *sender);
