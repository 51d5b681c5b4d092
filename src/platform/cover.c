/* What lies on top of a blocked window may be shown: only the rest of it is covered. Menus and
 * hints are no windows to the window manager, and cannot be told apart. */
#include "platform/cover.h"

#include "base/blur.h"
#include "base/rects.h"
#include "platform/fence.h"
#include "platform/windows.h"

/* The windows as they were at a picture; they are listed again only when something has changed. */
struct HfCover {
    GMutex lock; /* guards what follows */
    GPtrArray *windows;
    GPtrArray *popups; /* at the same time; NULL: nobody has asked */
    guint64 serial;
    guint64 veil; /* which one held last */
    guint64 veils;
};

HfCover *hf_cover_new(void)
{
    HfCover *cover = g_new0(HfCover, 1);
    g_mutex_init(&cover->lock);
    return cover;
}

void hf_cover_free(HfCover *cover)
{
    if (!cover)
        return;
    g_clear_pointer(&cover->windows, g_ptr_array_unref);
    g_clear_pointer(&cover->popups, g_ptr_array_unref);
    g_mutex_clear(&cover->lock);
    g_free(cover);
}

/* A reference to what was listed at that time; `list` is one of the members. */
static GPtrArray *find_known(HfCover *cover, GPtrArray *const *list, guint64 serial)
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

guint64 hf_cover_dup_known(HfDesktop *desktop, GPtrArray **ret_windows, GPtrArray **ret_popups)
{
    HfCover *cover = desktop->cover;
    g_mutex_lock(&cover->lock);
    *ret_windows = ref_list(cover->windows);
    *ret_popups = ref_list(cover->popups);
    guint64 serial = cover->serial;
    g_mutex_unlock(&cover->lock);
    return serial;
}

/* Only a list of windows that were watched before they were asked: nothing was missed then. */
static void keep(HfDesktop *desktop, GPtrArray *windows, guint64 serial)
{
    HfCover *cover = desktop->cover;
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

GPtrArray *hf_cover_list_windows(HfDesktop *desktop, guint64 serial, GError **error)
{
    GPtrArray *windows = find_known(desktop->cover, &desktop->cover->windows, serial);
    if (windows)
        return windows;
    windows = hf_windows_list(desktop, error);
    if (windows)
        keep(desktop, windows, serial);
    return windows;
}

GPtrArray *hf_cover_list_popups(HfDesktop *desktop, guint64 serial, GError **error)
{
    HfCover *cover = desktop->cover;
    GPtrArray *popups = find_known(cover, &cover->popups, serial);
    if (popups)
        return popups;
    popups = hf_windows_list_popups(desktop, error);
    g_mutex_lock(&cover->lock);
    if (popups && cover->windows && serial && cover->serial == serial && !cover->popups)
        cover->popups = g_ptr_array_ref(popups);
    g_mutex_unlock(&cover->lock);
    return popups;
}

guint64 hf_cover_count_veils(HfDesktop *desktop)
{
    HfCover *cover = desktop->cover;
    guint64 veil = hf_veil_get_hash(hf_fence_get_veil());
    g_mutex_lock(&cover->lock);
    if (veil != cover->veil)
        cover->veils++;
    cover->veil = veil;
    guint64 count = cover->veils;
    g_mutex_unlock(&cover->lock);
    return count;
}

static gboolean is_seen(const HfWindow *window)
{
    return window->visible && !window->minimized;
}

void hf_cover_cut_above(const GPtrArray *windows, guint index, GArray *places)
{
    for (guint i = 0; i < index && places->len > 0; i++) {
        const HfWindow *above = windows->pdata[i];
        if (is_seen(above) && above->kind != HF_WINDOW_DESKTOP)
            hf_rects_subtract(places, hf_rect_intersect(above->bounds, above->frame));
    }
}

void hf_cover_paint(HfCapture *capture, const GArray *places)
{
    for (guint i = 0; i < places->len; i++) {
        HfRect rect = g_array_index(places, HfRect, i);
        rect.x -= capture->area.x;
        rect.y -= capture->area.y;
        hf_blur_secure(capture->image, &rect, 1);
    }
}

/* All of it: what it draws into, and its frame. */
static void add_window(const GPtrArray *windows, guint index, GArray *rects)
{
    const HfWindow *window = windows->pdata[index];
    g_autoptr(GArray) places = g_array_new(FALSE, FALSE, sizeof(HfRect));
    g_array_append_val(places, window->frame);
    hf_rects_subtract(places, window->bounds);
    g_array_append_val(places, window->bounds);
    hf_cover_cut_above(windows, index, places);
    g_array_append_vals(rects, places->data, places->len);
}

void hf_cover_add_blocked(const GPtrArray *windows, GArray *rects)
{
    if (!hf_fence_blocks_any())
        return;
    for (guint i = 0; i < windows->len; i++)
        if (is_seen(windows->pdata[i]) && hf_fence_blocks(windows->pdata[i]))
            add_window(windows, i, rects);
}
