/* What lies on top of a blocked window may be shown: only the rest of it is covered. Menus and
 * hints are no windows to the window manager, and cannot be told apart. */
#include "platform/cover.h"

#include "base/blur.h"
#include "base/error.h"
#include "base/rects.h"
#include "platform/fence.h"
#include "platform/windows.h"

static gboolean is_seen(const HfWindow *window)
{
    return window->visible && !window->minimized;
}

/* All of it: what it draws into, and its frame. */
static void cover_window(const GPtrArray *windows, guint index, HfImage *image, HfRect area)
{
    const HfWindow *window = windows->pdata[index];
    g_autoptr(GArray) rects = g_array_new(FALSE, FALSE, sizeof(HfRect));
    g_array_append_val(rects, window->frame);
    hf_rects_subtract(rects, window->bounds);
    g_array_append_val(rects, window->bounds);
    for (guint i = 0; i < index; i++) {
        const HfWindow *above = windows->pdata[i];
        if (is_seen(above) && above->kind != HF_WINDOW_DESKTOP)
            hf_rects_subtract(rects, above->bounds);
    }
    for (guint i = 0; i < rects->len; i++) {
        HfRect *rect = &g_array_index(rects, HfRect, i);
        rect->x -= area.x;
        rect->y -= area.y;
    }
    hf_blur_secure(image, (const HfRect *)(gpointer)rects->data, rects->len);
}

gboolean hf_cover_blocked(HfDesktop *desktop, HfImage *image, HfRect area, GError **error)
{
    if (!image || !hf_fence_blocks_any())
        return TRUE;
    g_autoptr(GError) problem = NULL;
    g_autoptr(GPtrArray) windows = hf_windows_list(desktop, &problem);
    if (!windows && hf_error_code(problem) == HF_ERROR_UNSUPPORTED)
        return TRUE;
    if (!windows) {
        g_propagate_error(error, g_steal_pointer(&problem));
        return FALSE;
    }
    for (guint i = 0; i < windows->len; i++)
        if (is_seen(windows->pdata[i]) && hf_fence_blocks(windows->pdata[i]))
            cover_window(windows, i, image, area);
    return TRUE;
}
