/* SPDX-License-Identifier: Apache-2.0 */
/* Answers programs that request a selection of ours, and transfers the content, to many at once.
 * Belongs to the serving thread (selection-serve.h) and has no lock. */
#pragma once

#include "hand/x11/core/connection.h"
#include "hand/x11/selection/clipboard-data.h"

typedef struct HfSelectionAnswerer HfSelectionAnswerer;
typedef struct HfSelectionOffer HfSelectionOffer; /* content with the atoms of its formats */

/* What one selection offers, and what the borrower has read of it. */
typedef struct HfSelectionState {
    xcb_atom_t selection;
    xcb_timestamp_t time;      /* when we took it */
    HfSelectionOffer *content; /* for every program; NULL: nothing */
    HfSelectionOffer *loan;    /* for the borrower only; NULL: no loan */
    xcb_window_t borrower;     /* one of its windows; 0: any program */
    guint32 borrower_pid;      /* 0: unknown */
    guint fetches;             /* how often the borrower has read the whole text */
    gboolean asks_again;       /* it has asked for more after that */
    gint64 active_us;          /* when it last asked for or read something */
} HfSelectionState;

/* NULL for no content. */
HfSelectionOffer *hf_selection_offer_new(HfX11Connection *connection, HfClipboardData *data);
void hf_selection_offer_free(HfSelectionOffer *offer);
HfClipboardData *hf_selection_offer_get_data(const HfSelectionOffer *offer);

/* Reports transfers to the borrower: each time it has read a piece, and at the end of the transfer,
 * with `complete` if it has read everything. */
typedef void (*HfSelectionSent)(gpointer data, gboolean complete);

/* The connection is borrowed. */
HfSelectionAnswerer *hf_selection_answerer_new(HfX11Connection *connection, HfSelectionSent sent,
                                               gpointer data);
void hf_selection_answerer_free(HfSelectionAnswerer *answerer);

/* Answers a request, if only by a refusal, unless it is part of a flood. `state` is NULL when the
 * selection is not ours. TRUE: the borrower asked. */
gboolean hf_selection_answer(HfSelectionAnswerer *answerer, HfSelectionState *state,
                             const xcb_selection_request_event_t *request);
/* Handles events of transfers: properties read, windows destroyed, errors. */
void hf_selection_answerer_handle(HfSelectionAnswerer *answerer, const xcb_generic_event_t *event);

/* Transfers in progress: all, and those to the borrower. */
guint hf_selection_answerer_get_count(const HfSelectionAnswerer *answerer);
guint hf_selection_answerer_get_watched(const HfSelectionAnswerer *answerer);
void hf_selection_answerer_unwatch(HfSelectionAnswerer *answerer);
/* Gives up stalled transfers. Returns the milliseconds until the next check; -1: no transfers. */
int hf_selection_answerer_expire(HfSelectionAnswerer *answerer);
