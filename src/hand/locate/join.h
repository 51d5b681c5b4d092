/* SPDX-License-Identifier: Apache-2.0 */
/* What programs tell and what pictures show, made one tree: one thing is one node. Pure. */
#pragma once

#include "hand/atspi/tree/tree.h"
#include "hand/desktop/windows.h"

/* Something that was seen, in pixels of the screen. */
typedef struct HfSeen {
    guint32 window; /* where */
    HfRect box;
    int role;          /* what it is, or looks like */
    guint64 states;    /* see hand/atspi/tree/states.h */
    HfSource source;   /* OCR, PIXELS, DOM; several when they agree */
    const char *text;  /* what it is called; NULL: nothing */
    const char *label; /* what stands beside it and says what it is for; NULL: nothing */
    double confidence;
    const HfNodePart *parts; /* of the text */
    int part_count;
    const char *looks; /* the same for the same picture; NULL: unknown */
    const char *dom;   /* what it is in its page; NULL: it is in none, or that is not known */
    const char *value; /* how it is set; NULL: nothing that can be set, or not known */
    gboolean secure;   /* a password field, as its page says: what it holds is not told */
    gboolean holds;    /* it only holds others together */
    int holder;        /* what it is in: the index of another + 1; 0: nothing that was seen */
} HfSeen;

/* The tree with all that was seen (HfSeen), finished. Of the windows that were looked at
 * (HfWindow), those that their programs tell nothing of are made from what is known of them.
 * `truncated`: why not all was seen. `told` stays as it is. */
HfTree *hf_join(const HfTree *told, const GPtrArray *windows, const GArray *seen,
                HfTruncation truncated);
