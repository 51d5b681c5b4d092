/* SPDX-License-Identifier: Apache-2.0 */
/* Everything that can be seen of a part of the desktop in one tree: the elements that programs
 * report, and those that only their picture shows. One element is one node, with all its sources.
 */
#pragma once

#include "hand/atspi/read/tree-snapshot.h"
#include "hand/desktop/screen.h"

/* What is looked for in the picture? */
typedef enum HfFusedPixels {
    HF_PIXELS_AUTO,   /* what programs paint without reporting it: see hf_ax_coverage_gaps */
    HF_PIXELS_ALWAYS, /* everything that is not reported */
    HF_PIXELS_NEVER,
} HfFusedPixels;

typedef struct HfFusedScope {
    HfTreeScope access;
    HfFusedPixels pixels;
    const HfCapture *picture; /* of the scope's window, or of the screen; NULL: one is taken */
    GPtrArray *windows;       /* of HfWindow, listed after the picture; NULL: they are listed */
    int read_ms;              /* how long text is read at most; 0: HF_FUSED_READ_MS */
} HfFusedScope;

/* As hf_tree_read, but a desktop without an accessibility bus is not an error, and pages of our own
 * browsers add what they know (page-provider.h). Text that was not read in time is left out, and
 * the tree is marked as truncated; what was read is cached. */
HfTree *hf_fused_tree_read(const HfCallContext *context, const HfFusedScope *scope,
                           const HfDeadline *deadline, GError **error);

/* Waits until a window that has only just appeared has painted for the first time, if its picture
 * shows more than its program reports. Until then its picture shows what lies behind it. */
void hf_fused_tree_await_first_paint(HfDesktop *desktop, guint32 window, const HfTree *reported,
                                     const HfDeadline *deadline);

/* Adds what the picture shows to a tree that was read with this scope a moment ago. Returns
 * `reported` itself when there is nothing to add or no picture can be taken; NULL only when the
 * call must end. */
HfTree *hf_fused_tree_add_pixels(const HfCallContext *context, const HfFusedScope *scope,
                                 HfTree *reported, const HfDeadline *deadline, GError **error);
