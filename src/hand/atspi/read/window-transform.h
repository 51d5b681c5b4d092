/* SPDX-License-Identifier: Apache-2.0 */
/* Converts a program's coordinates to screen pixels. Toolkits use scaled units, round them down, or
 * do not know the screen (GTK 4); the window system knows where the windows are. Pure. */
#pragma once

#include "hand/atspi/bus/toolkit-quirks.h"
#include "hand/desktop/windows.h"
#include "shared/base/geometry.h"

/* screen = program * scale + (x, y) */
typedef struct HfTransform {
    double scale;
    int x, y;
} HfTransform;

HfRect hf_transform_rect(HfTransform transform, HfRect rect);

typedef struct HfTopWindow {
    const char *name;
    HfRect extents;        /* as the program reports them */
    guint32 window;        /* the matching window id; 0: none */
    HfTransform transform; /* of everything in it */
    gboolean wanted;       /* for the caller: in scope */
    gboolean pops_up;      /* the popup itself, see hf_transform_match_popup */
    gboolean in_page;      /* a web page, or something in it */
} HfTopWindow;

/* Finds the desktop window and the transform for each of a program's windows. `scale` is the
 * desktop's. */
void hf_transform_match_windows(const HfToolkitTraits *toolkit, int pid, const GPtrArray *windows,
                                double scale, HfTopWindow *tops, gsize count);

/* GTK 4 reports a popover at its button's position, but it is a separate window, listed among the
 * popups. TRUE: these extents are those of a popup; `transform` now holds for everything in it, and
 * the popup is removed from `popups`. */
gboolean hf_transform_match_popup(GPtrArray *popups, int pid, HfRect extents,
                                  HfTransform *transform);

/* For a toolkit that leaves out the menu bar: the pane with the rest must reach the bottom of its
 * window (extents `top`). If it ends higher, shifts it down by the gap. */
void hf_transform_correct_pane(HfRect top, HfRect pane, HfTransform *transform);
