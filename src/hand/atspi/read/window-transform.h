/* SPDX-License-Identifier: Apache-2.0 */
/* From a program's own pixels to those of the screen. Toolkits count in units that are scaled,
 * round them down, or know nothing of the screen (GTK 4); the platform knows where the windows are.
 * Pure.
 */
#pragma once

#include "hand/atspi/bus/toolkit-traits.h"
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
    HfRect extents;        /* as the program says */
    guint32 window;        /* found: the platform's id; 0: none */
    HfTransform transform; /* of all that is in it */
    gboolean wanted;       /* for whoever asks: is it in the scope? */
    gboolean pops_up;      /* the popup itself, see hf_transform_match_popup */
    gboolean in_page;      /* a page of a browser, or something in it */
} HfTopWindow;

/* Finds for each of a program's windows the platform's, and what makes its pixels those of the
 * screen. `scale` is the desktop's. */
void hf_transform_match_windows(const HfToolkitTraits *toolkit, int pid, const GPtrArray *windows,
                                double scale, HfTopWindow *tops, gsize count);

/* GTK 4 tells of a popover as if it lay where its button is; it is a window of its own, which the
 * platform lists with the popups. TRUE: what has these extents is one of them, and `transform` is
 * now that of all that is in it. The popup is taken out of `popups`. */
gboolean hf_transform_match_popup(GPtrArray *popups, int pid, HfRect extents,
                                  HfTransform *transform);

/* Of a toolkit that forgets its menu bar: the pane that has all else reaches down to the end of its
 * window, which has the extents `top`; if it does not, it is said to be too high by as much. */
void hf_transform_correct_pane(HfRect top, HfRect pane, HfTransform *transform);
