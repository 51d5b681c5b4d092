/* SPDX-License-Identifier: Apache-2.0 */
/* What of the desktop is to be read, and how much of it. */
#pragma once

#include "hand/atspi/tree/cell-address.h"

typedef struct HfTreeScope {
    guint32 window; /* the desktop's id of one window, with what pops up from it; 0: any */
    int pid;        /* one program; 0: any. Without either: the whole desktop */
    int max_depth;  /* 0: as deep as may be asked for; the same for the next two */
    int max_nodes;
    int max_ms;
    gboolean include_text;        /* what fields hold, and the numbers of sliders and the like */
    gboolean include_identifiers; /* what programs call elements themselves, and say of them */
    gboolean include_hidden;      /* also what does not show: closed menus, other pages */
    gboolean skip_actions;        /* what can be done with elements is not asked */
    HfCellAddress cell;           /* in tables with more cells than can be read; none: {0} */
    gboolean again;               /* once more for the same look: no sign that many follow */
    gboolean untold;              /* for our own use: also what callers may not see */
    GPtrArray *windows;           /* all of them, as they are (borrowed); NULL: they are listed */
    double scale;                 /* of the screen, along with them */
} HfTreeScope;
