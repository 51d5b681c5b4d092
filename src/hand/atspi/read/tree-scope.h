/* SPDX-License-Identifier: Apache-2.0 */
/* Which part of the desktop to read, and how much of it. */
#pragma once

#include "hand/atspi/tree/cell-address.h"

typedef struct HfTreeScope {
    guint32 window; /* one window, with its popups; 0: any */
    int pid;        /* one program; 0: any. Without either: the whole desktop */
    int max_depth;  /* 0: the largest allowed, as for the next two */
    int max_nodes;
    int max_ms;
    gboolean include_text;        /* texts of fields, numbers of sliders and the like */
    gboolean include_identifiers; /* the programs' own identifiers and descriptions */
    gboolean include_hidden;      /* also closed menus, other pages and the like */
    gboolean skip_actions;
    HfCellAddress cell;    /* to read from a table that is too large; {0}: none */
    gboolean again;        /* part of the same look: no sign that the program is read often */
    gboolean unrestricted; /* for internal use: also what callers may not see */
    GPtrArray *windows;    /* the current windows (borrowed); NULL: list them */
    double scale;          /* of the screen; set together with `windows` */
} HfTreeScope;
