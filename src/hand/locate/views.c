/* SPDX-License-Identifier: Apache-2.0 */
/* Of a window that tells its elements, only what it paints without telling; of one that may not be
 * seen, nothing. */
#include "hand/locate/views.h"

#include "hand/locate/told.h"
#include "hand/safety/call-context.h"
#include "hand/safety/fence.h"
#include "shared/image/rects.h"

static gboolean is_wanted(const HfCallContext *context, const HfTreeScope *access,
                          const HfWindow *window)
{
    if (!window->visible || window->minimized || window->kind == HF_WINDOW_DESKTOP ||
        hf_fence_blocks(context, window))
        return FALSE;
    return access->window ? window->id == access->window
                          : access->pid == 0 || window->pid == access->pid;
}

static GArray *all_of(const HfWindow *window)
{
    GArray *areas = g_array_new(FALSE, FALSE, sizeof(HfRect));
    g_array_append_val(areas, window->bounds);
    return areas;
}

/* Where the owner has covered something, the cover is all that there is to be seen. */
static void leave_out_covered(const HfCallContext *context, GArray *areas, const HfWindow *window)
{
    const HfPrivacyList *veil = hf_fence_get_privacy_list(context);
    g_autoptr(GArray) covered = g_array_new(FALSE, FALSE, sizeof(HfRect));
    if (!veil || areas->len == 0)
        return;
    hf_privacy_list_add_places(veil, covered);
    if (hf_privacy_list_add_window(veil, window, covered))
        g_array_set_size(areas, 0);
    for (guint i = 0; i < covered->len; i++)
        hf_rects_subtract(areas, g_array_index(covered, HfRect, i));
}

static GArray *areas_of(const HfCallContext *context, const HfFusedScope *scope, const HfTree *told,
                        const HfWindow *window)
{
    GArray *areas = scope->pixels == HF_PIXELS_AUTO
                        ? hf_told_blind(told, window->id, window->bounds)
                        : all_of(window);
    leave_out_covered(context, areas, window);
    return areas;
}

static void view_clear(gpointer view)
{
    g_array_unref(((HfView *)view)->areas);
}

static GPtrArray *list_windows(HfDesktop *desktop, const HfFusedScope *scope)
{
    return scope->windows ? g_ptr_array_ref(scope->windows) : hf_windows_list(desktop, NULL);
}

gboolean hf_views_find(HfViews *views, const HfCallContext *context, const HfFusedScope *scope,
                       const HfTree *told)
{
    *views = (HfViews){scope->access.window, list_windows(hf_call_context_desktop(context), scope),
                       g_array_new(FALSE, FALSE, sizeof(HfView))};
    g_array_set_clear_func(views->list, view_clear);
    for (guint i = 0; views->windows && i < views->windows->len; i++) {
        HfWindow *window = views->windows->pdata[i];
        if (!is_wanted(context, &scope->access, window))
            continue;
        HfView view = {window, areas_of(context, scope, told, window)};
        if (view.areas->len > 0)
            g_array_append_val(views->list, view);
        else
            view_clear(&view);
    }
    return views->list->len > 0;
}

void hf_views_clear(HfViews *views)
{
    g_clear_pointer(&views->windows, g_ptr_array_unref);
    g_clear_pointer(&views->list, g_array_unref);
}

/* The window that shows at a point of the picture: of a window's own picture it is that window. */
static guint32 window_at(const HfViews *views, HfPoint point)
{
    if (views->only)
        return views->only;
    for (guint i = 0; i < views->windows->len; i++) {
        const HfWindow *window = views->windows->pdata[i];
        if (window->visible && !window->minimized && hf_rect_contains(window->frame, point))
            return window->id;
    }
    return 0;
}

const HfView *hf_views_at(const HfViews *views, HfPoint point)
{
    guint32 window = window_at(views, point);
    for (guint i = 0; i < views->list->len; i++) {
        const HfView *view = &g_array_index(views->list, HfView, i);
        if (view->window->id != window)
            continue;
        for (guint k = 0; k < view->areas->len; k++)
            if (hf_rect_contains(g_array_index(view->areas, HfRect, k), point))
                return view;
    }
    return NULL;
}
