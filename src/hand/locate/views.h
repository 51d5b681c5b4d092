/* SPDX-License-Identifier: Apache-2.0 */
/* Where pictures are looked at: which windows, and which parts of them. */
#pragma once

#include "hand/desktop/windows.h"
#include "hand/locate/fused.h"

/* A window of the scope, and the parts of it whose picture says more than its program. */
typedef struct HfView {
    HfWindow *window; /* of HfViews.windows */
    GArray *areas;    /* of HfRect */
} HfView;

typedef struct HfViews {
    guint32 only;       /* the picture is that of this window; 0: of the screen */
    GPtrArray *windows; /* all, topmost first */
    GArray *list;       /* of HfView */
} HfViews;

/* FALSE: everything is told, or may not be seen. */
gboolean hf_views_find(HfViews *views, const HfCallContext *context, const HfFusedScope *scope,
                       const HfTree *told);
void hf_views_clear(HfViews *views);
/* The one that shows at a point of the screen; NULL: none does. */
const HfView *hf_views_at(const HfViews *views, HfPoint point);
