/* What programs tell and what pictures show, made one tree: one thing is one node. Pure. */
#pragma once

#include "access/tree.h"
#include "platform/windows.h"

/* Something that was seen, in pixels of the screen. */
typedef struct HfSeen {
    guint32 window; /* where */
    HfRect box;
    int role;         /* what it looks like */
    HfSource source;  /* OCR, PIXELS */
    const char *text; /* NULL: it has none */
    double confidence;
    const HfNodePart *parts; /* of the text */
    int part_count;
    const char *looks; /* of something without text: the same for the same picture; NULL: unknown */
} HfSeen;

/* The tree with all that was seen (HfSeen), finished. Of the windows that were looked at
 * (HfWindow), those that their programs tell nothing of are made from what is known of them.
 * `truncated`: why not all was seen. `told` stays as it is. */
HfTree *hf_join(const HfTree *told, const GPtrArray *windows, const GArray *seen,
                HfTruncation truncated);
