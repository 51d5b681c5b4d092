/* SPDX-License-Identifier: Apache-2.0 */
/* All that can be seen of a part of the desktop, whatever it is known from, in one tree: what
 * programs tell of their elements, and what only its picture shows. One thing is one node, with all
 * its sources. */
#pragma once

#include "hand/atspi/read/tree-snapshot.h"
#include "hand/desktop/screen.h"

/* Of what is the picture looked at? */
typedef enum HfFusedPixels {
    HF_PIXELS_AUTO,   /* of what programs paint without telling: see hf_told_blind */
    HF_PIXELS_ALWAYS, /* of all that is not told */
    HF_PIXELS_NEVER,
} HfFusedPixels;

typedef struct HfFusedScope {
    HfTreeScope access;
    HfFusedPixels pixels;
    const HfCapture *picture; /* of the scope's window, or of the screen; NULL: one is taken */
    GPtrArray *windows;       /* of HfWindow, listed after the picture; NULL: they are listed */
    int read_ms;              /* how long text is read at most; 0: HF_FUSED_READ_MS */
} HfFusedScope;

/* As hf_tree_read, but a desktop without an accessibility bus is no error, and pages of browsers
 * of ours say what they know themselves (page-eye.h). What was not read in time is left out, and
 * the tree says so; what was is known the next time. */
HfTree *hf_fused_read(const HfCallContext *context, const HfFusedScope *scope,
                      const HfDeadline *deadline, GError **error);

/* Before a picture of a window is taken for hf_fused_complete: waits for the first strokes of one
 * that has only just appeared, where its picture says more than its program tells. Until then it
 * shows what lies behind it. */
void hf_fused_await_paint(HfDesktop *desktop, guint32 window, const HfTree *told,
                          const HfDeadline *deadline);

/* The same for a tree that was read with this scope a moment ago: adds what the picture shows. It
 * is `told` itself when there is nothing to add, also where no picture can be taken. NULL only when
 * the call must end. */
HfTree *hf_fused_complete(const HfCallContext *context, const HfFusedScope *scope, HfTree *told,
                          const HfDeadline *deadline, GError **error);
