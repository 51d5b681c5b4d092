/* SPDX-License-Identifier: Apache-2.0 */
/* What lies on top of a blocked window may be shown: only the rest of it is covered. Menus and
 * hints are no windows to the window manager, and cannot be told apart. */
#include "hand/safety/blocked-window-mask.h"

#include "hand/desktop/windows.h"
#include "hand/safety/blur.h"
#include "hand/safety/call-context.h"
#include "hand/safety/fence.h"
#include "shared/image/rects.h"

/* The windows as they were at a picture; they are listed again only when something has changed. */
struct HfBlockedWindowMask {
    GMutex lock; /* guards what follows */
    GPtrArray *windows;
    GPtrArray *popups; /* at the same time; NULL: nobody has asked */
    guint64 serial;
    guint64 veil; /* which one held last */
    guint64 veils;
};

HfBlockedWindowMask *hf_blocked_window_mask_new(void)
{
    HfBlockedWindowMask *cover = g_new0(HfBlockedWindowMask, 1);
    g_mutex_init(&cover->lock);
    return cover;
}

void hf_blocked_window_mask_free(HfBlockedWindowMask *cover)
{
    if (!cover)
        return;
    g_clear_pointer(&cover->windows, g_ptr_array_unref);
    g_clear_pointer(&cover->popups, g_ptr_array_unref);
    g_mutex_clear(&cover->lock);
    g_free(cover);
}

/* A reference to what was listed at that time; `list` is one of the members. */
static GPtrArray *ref_known_list(HfBlockedWindowMask *cover, GPtrArray *const *list, guint64 serial)
{
    g_mutex_lock(&cover->lock);
    GPtrArray *known = *list && serial && cover->serial == serial ? g_ptr_array_ref(*list) : NULL;
    g_mutex_unlock(&cover->lock);
    return known;
}

static GPtrArray *ref_list(GPtrArray *list)
{
    return list ? g_ptr_array_ref(list) : NULL;
}

guint64 hf_blocked_window_mask_dup_known(HfDesktop *desktop, GPtrArray **ret_windows,
                                         GPtrArray **ret_popups)
{
    HfBlockedWindowMask *cover = desktop->cover;
    g_mutex_lock(&cover->lock);
    *ret_windows = ref_list(cover->windows);
    *ret_popups = ref_list(cover->popups);
    guint64 serial = cover->serial;
    g_mutex_unlock(&cover->lock);
    return serial;
}

/* Only a list of windows that were watched before they were asked: nothing was missed then. */
static void cache_window_list(HfDesktop *desktop, GPtrArray *windows, guint64 serial)
{
    HfBlockedWindowMask *cover = desktop->cover;
    g_autoptr(GArray) ids = g_array_new(FALSE, FALSE, sizeof(guint32));
    for (guint i = 0; i < windows->len; i++)
        g_array_append_val(ids, ((const HfWindow *)windows->pdata[i])->id);
    if (!hf_screen_watch_windows(desktop, (const guint32 *)(gpointer)ids->data, ids->len) ||
        !serial)
        return;
    g_mutex_lock(&cover->lock);
    g_clear_pointer(&cover->windows, g_ptr_array_unref);
    g_clear_pointer(&cover->popups, g_ptr_array_unref);
    cover->windows = g_ptr_array_ref(windows);
    cover->serial = serial;
    g_mutex_unlock(&cover->lock);
}

GPtrArray *hf_blocked_window_mask_list_windows(HfDesktop *desktop, guint64 serial, GError **error)
{
    GPtrArray *windows = ref_known_list(desktop->cover, &desktop->cover->windows, serial);
    if (windows)
        return windows;
    windows = hf_windows_list(desktop, error);
    if (windows)
        cache_window_list(desktop, windows, serial);
    return windows;
}

GPtrArray *hf_blocked_window_mask_list_popups(HfDesktop *desktop, guint64 serial, GError **error)
{
    HfBlockedWindowMask *cover = desktop->cover;
    GPtrArray *popups = ref_known_list(cover, &cover->popups, serial);
    if (popups)
        return popups;
    popups = hf_windows_list_popups(desktop, error);
    g_mutex_lock(&cover->lock);
    if (popups && cover->windows && serial && cover->serial == serial && !cover->popups)
        cover->popups = g_ptr_array_ref(popups);
    g_mutex_unlock(&cover->lock);
    return popups;
}

guint64 hf_blocked_window_mask_count_list_changes(const HfCallContext *context)
{
    HfBlockedWindowMask *cover = hf_call_context_desktop(context)->cover;
    guint64 veil = hf_privacy_list_get_hash(hf_fence_get_privacy_list(context));
    g_mutex_lock(&cover->lock);
    if (veil != cover->veil)
        cover->veils++;
    cover->veil = veil;
    guint64 count = cover->veils;
    g_mutex_unlock(&cover->lock);
    return count;
}

static gboolean is_blocked_window_seen(const HfWindow *window)
{
    return window->visible && !window->minimized;
}

void hf_blocked_window_mask_cut_above(const GPtrArray *windows, guint index, GArray *places)
{
    for (guint i = 0; i < index && places->len > 0; i++) {
        const HfWindow *above = windows->pdata[i];
        if (is_blocked_window_seen(above) && above->kind != HF_WINDOW_DESKTOP)
            hf_rects_subtract(places, hf_rect_intersect(above->bounds, above->frame));
    }
}

void hf_blocked_window_mask_paint(HfCapture *capture, const GArray *places)
{
    for (guint i = 0; i < places->len; i++) {
        HfRect rect = g_array_index(places, HfRect, i);
        rect.x -= capture->area.x;
        rect.y -= capture->area.y;
        hf_blur_rects(capture->image, &rect, 1);
    }
}

/* All of it: what it draws into, and its frame. */
static void add_window_parts(const GPtrArray *windows, guint index, GArray *rects)
{
    const HfWindow *window = windows->pdata[index];
    g_autoptr(GArray) places = g_array_new(FALSE, FALSE, sizeof(HfRect));
    g_array_append_val(places, window->frame);
    hf_rects_subtract(places, window->bounds);
    g_array_append_val(places, window->bounds);
    hf_blocked_window_mask_cut_above(windows, index, places);
    g_array_append_vals(rects, places->data, places->len);
}

void hf_blocked_window_mask_add_blocked(const HfCallContext *context, const GPtrArray *windows,
                                        GArray *rects)
{
    if (!hf_fence_blocks_any(context))
        return;
    for (guint i = 0; i < windows->len; i++)
        if (is_blocked_window_seen(windows->pdata[i]) &&
            hf_fence_blocks(context, windows->pdata[i]))
            add_window_parts(windows, i, rects);
}
