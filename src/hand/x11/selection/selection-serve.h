/* SPDX-License-Identifier: Apache-2.0 */
/* Owning selections: a thread that answers the programs that ask for the content, for as long as
 * one of the selections is ours. It has a connection of its own, which ends with it. */
#pragma once

#include "hand/desktop/clipboard.h"
#include "hand/x11/core/connection.h"
#include "hand/x11/selection/clipboard-data.h"
#include "hand/x11/selection/clipboard-file.h"
#include "shared/base/deadline.h"

typedef struct HfSelectionServer HfSelectionServer;

typedef struct HfSelectionClaim {
    HfSelection selection;
    /* The request is void when somebody else has taken the selection after this time. */
    xcb_timestamp_t time;
    HfClipboardData *content; /* for everybody; NULL: nothing, as if nobody owned the selection */
    HfClipboardFile *file;    /* where it is written down; NULL: as before */
    HfClipboardData *loan;    /* for one program alone; NULL: no loan */
    guint32 borrower;         /* a window of that program; 0: any program */
} HfSelectionClaim;

typedef struct HfSelectionLoanState {
    gboolean owned;   /* nobody else has taken the selection */
    guint fetches;    /* how many times the borrower has read the text to its end */
    guint under_way;  /* transfers to the borrower that have not ended */
    gint64 active_us; /* when the borrower last asked for or read something */
    gboolean insists; /* it has asked for more after it had read the text */
    guint32 pid;      /* the borrower's process; 0: unknown */
} HfSelectionLoanState;

const char *hf_selection_name(HfSelection selection);

/* Connects when something is claimed, not before. */
HfSelectionServer *hf_selection_server_new(const char *display);
/* Ends the thread. Files of contents that are still ours stay where they are. */
void hf_selection_server_free(HfSelectionServer *server);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfSelectionServer, hf_selection_server_free)

/* Takes the selection, or changes what we serve when it is ours already. With `ret_taken` the file
 * belongs to the server, which removes it when the content is not needed any more. */
gboolean hf_selection_server_claim(HfSelectionServer *server, const HfSelectionClaim *claim,
                                   gboolean *ret_taken, GError **error);
/* Whether the selection is ours, what we serve to everybody (NULL: nothing), and since when. */
gboolean hf_selection_server_get_content(HfSelectionServer *server, HfSelection selection,
                                         HfClipboardData **ret_content, xcb_timestamp_t *ret_time);

/* Starts counting the borrower's fetches from 0; those under way do not count. */
void hf_selection_server_count_fetches(HfSelectionServer *server, HfSelection selection);
/* Includes all that had reached the X server before the call. */
HfSelectionLoanState hf_selection_server_get_loan(HfSelectionServer *server, HfSelection selection);
/* Readable after something has changed for a borrower or an ownership was lost. */
int hf_selection_server_get_activity_fd(HfSelectionServer *server);
/* The content is what everybody gets again. A moment later the borrower is told that something has
 * changed, or the selection is given up if there is no content; not at once, since a program that
 * hears of a change while it still works on its paste may throw it away. When somebody else has
 * taken the selection meanwhile, it stays theirs. */
void hf_selection_server_end_loan(HfSelectionServer *server, HfSelection selection);

/* For handing over to another process: the file outlives our ownership from now on. A descriptor
 * that shares its lock, to be closed; -1 when the selection is not ours or nothing was written
 * down. */
int hf_selection_server_keep_file(HfSelectionServer *server, HfSelection selection,
                                  char **ret_path);
/* Waits until no selection is ours any more. */
void hf_selection_server_join(HfSelectionServer *server);
