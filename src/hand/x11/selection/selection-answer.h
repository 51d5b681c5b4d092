/* SPDX-License-Identifier: Apache-2.0 */
/* What a program gets when it asks for a selection that is ours. Belongs to the serving thread
 * (selection-serve.h); has no lock of its own. */
#pragma once

#include "hand/x11/selection/clipboard-data.h"
#include "hand/x11/selection/selection-send.h"

typedef struct HfSelectionAnswerer HfSelectionAnswerer;
typedef struct HfSelectionOffer HfSelectionOffer; /* a content with its names as atoms */

/* What is to be had of one selection, and what the borrower has had of it. */
typedef struct HfSelectionStock {
    xcb_atom_t selection;
    xcb_timestamp_t time;      /* since when it is ours */
    HfSelectionOffer *content; /* for everybody; NULL: nothing */
    HfSelectionOffer *loan;    /* for the borrower alone; NULL: no loan */
    xcb_window_t borrower;     /* a window of it; 0: any program */
    guint32 borrower_pid;      /* 0: unknown */
    guint fetches;             /* how many times it has read the text to its end */
    gboolean insists;          /* it has asked for more after that */
    gint64 active_us;          /* when it last asked for or read something */
} HfSelectionStock;

/* NULL for no content. */
HfSelectionOffer *hf_selection_offer_new(HfX11Connection *connection, HfClipboardData *data);
void hf_selection_offer_free(HfSelectionOffer *offer);
HfClipboardData *hf_selection_offer_get_data(const HfSelectionOffer *offer);

/* Both are borrowed. */
HfSelectionAnswerer *hf_selection_answerer_new(HfX11Connection *connection,
                                               HfSelectionSender *sender);
void hf_selection_answerer_free(HfSelectionAnswerer *answerer);

/* Answers a request, if only by a refusal, unless it is one of a flood. `stock` is NULL when the
 * selection is not ours. TRUE: it was the borrower who asked. */
gboolean hf_selection_answer(HfSelectionAnswerer *answerer, HfSelectionStock *stock,
                             const xcb_selection_request_event_t *request);
