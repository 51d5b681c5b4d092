/* SPDX-License-Identifier: Apache-2.0 */
/* Owns selections: a thread with its own connection answers programs that request the content, for
 * as long as one of the selections is ours. */
#pragma once

#include "hand/desktop/clipboard.h"
#include "hand/x11/core/connection.h"
#include "hand/x11/selection/clipboard-data.h"
#include "shared/base/deadline.h"

typedef struct HfSelectionServer HfSelectionServer;

typedef struct HfSelectionClaim {
    HfSelection selection;
    /* The claim fails when another program has taken the selection after this time. */
    xcb_timestamp_t time;
    HfClipboardData
        *content;          /* for every program; NULL: nothing, as if nobody owned the selection */
    HfClipboardFile *file; /* its copy on disk; NULL: as before */
    HfClipboardData *loan; /* for one program only; NULL: no loan */
    guint32 borrower;      /* a window of that program; 0: any program */
} HfSelectionClaim;

typedef struct HfSelectionLoanState {
    gboolean owned;      /* the selection is still ours */
    guint fetches;       /* how often the borrower has read the whole text */
    guint in_progress;   /* transfers to the borrower */
    gint64 active_us;    /* when the borrower last asked for or read something */
    gboolean asks_again; /* it has asked for more after it had read the text */
    guint32 pid;         /* the borrower's process; 0: unknown */
} HfSelectionLoanState;

const char *hf_selection_name(HfSelection selection);

/* Connects when something is claimed, not before. */
HfSelectionServer *hf_selection_server_new(const char *display);
/* Ends the thread. Files of content that is still ours stay. */
void hf_selection_server_free(HfSelectionServer *server);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfSelectionServer, hf_selection_server_free)

/* Takes the selection, or changes what we serve when it is already ours. If taken, the server owns
 * the file and removes it when the content is no longer needed. */
gboolean hf_selection_server_claim(HfSelectionServer *server, const HfSelectionClaim *claim,
                                   gboolean *ret_taken, GError **error);
/* Whether the selection is ours, what we serve to every program (NULL: nothing), and since when. */
gboolean hf_selection_server_get_content(HfSelectionServer *server, HfSelection selection,
                                         HfClipboardData **ret_content, xcb_timestamp_t *ret_time);

/* Starts counting the borrower's fetches from 0; those in progress do not count. */
void hf_selection_server_count_fetches(HfSelectionServer *server, HfSelection selection);
/* Includes everything that had reached the X server before the call. */
HfSelectionLoanState hf_selection_server_get_loan(HfSelectionServer *server, HfSelection selection);
/* Readable after activity of a borrower, or after a selection was lost. */
int hf_selection_server_get_activity_fd(HfSelectionServer *server);
/* Every program gets the content again. A moment later we announce the change, or give the
 * selection up if there is no content. Not at once: a program that hears of a change during its
 * paste may discard the paste. A selection that another program has taken meanwhile stays there. */
void hf_selection_server_end_loan(HfSelectionServer *server, HfSelection selection);

/* For a handover to another process: from now on, the file outlives our ownership. Returns a
 * descriptor that shares the file's lock, to be closed; -1 when the selection is not ours or has no
 * file. */
int hf_selection_server_keep_file(HfSelectionServer *server, HfSelection selection,
                                  char **ret_path);
/* Waits until we own no selection. */
void hf_selection_server_join(HfSelectionServer *server);
