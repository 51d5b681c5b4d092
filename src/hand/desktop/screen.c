/* SPDX-License-Identifier: Apache-2.0 */
/* Calls the back end's screen functions. No picture leaves here without the masks for password
 * fields and for what the owner hides. */
#include "hand/desktop/screen.h"
#include "hand/safety/call-context.h"
#include "hand/safety/fence.h"
#include "hand/safety/password-mask.h"
#include "hand/safety/privacy-mask.h"

void hf_screen_free(HfScreen *screen)
{
    if (!screen)
        return;
    for (guint i = 0; i < screen->monitors->len; i++)
        g_free(g_array_index(screen->monitors, HfMonitor, i).name);
    g_array_unref(screen->monitors);
    g_free(screen);
}

void hf_capture_free(HfCapture *capture)
{
    if (!capture)
        return;
    hf_image_free(capture->image);
    hf_image_free(capture->cursor);
    g_free(capture);
}

HfScreen *hf_screen_get(HfDesktop *desktop, GError **error)
{
    const HfScreenOps *ops = desktop->backend->screen;
    if (ops && ops->get)
        return ops->get(desktop, error);
    hf_desktop_fail_unsupported(desktop, "describe its screen", error);
    return NULL;
}

gboolean hf_screen_get_size(HfDesktop *desktop, HfSize *ret_size, GError **error)
{
    const HfScreenOps *ops = desktop->backend->screen;
    if (ops && ops->get_size)
        return ops->get_size(desktop, ret_size, error);
    return hf_desktop_fail_unsupported(desktop, "describe its screen", error);
}

gboolean hf_screen_get_window_area(HfDesktop *desktop, guint32 window, HfRect *ret_area,
                                   GError **error)
{
    const HfScreenOps *ops = desktop->backend->screen;
    if (ops && ops->get_window_area)
        return ops->get_window_area(desktop, window, ret_area, error);
    return hf_desktop_fail_unsupported(desktop, "locate windows", error);
}

HfCapture *hf_screen_capture(const HfCallContext *context, const HfCaptureRequest *request,
                             const HfDeadline *deadline, GError **error)
{
    if (!hf_call_context_check(context, error))
        return NULL;
    HfDesktop *desktop = hf_call_context_desktop(context);
    const HfScreenOps *ops = desktop->backend->screen;
    if (!ops || !ops->capture) {
        hf_desktop_fail_unsupported(desktop, "take pictures of its screen", error);
        return NULL;
    }
    if (request->window && !hf_fence_check_window(context, request->window, error))
        return NULL;
    guint64 list_changes = hf_privacy_mask_count_list_changes(context);
    g_autoptr(HfCapture) capture = hf_privacy_mask_capture(context, request, deadline, error);
    if (!capture)
        return NULL;
    capture->change_serial += capture->change_serial ? list_changes : 0;
    hf_password_mask_cover(desktop, capture, request->window);
    return g_steal_pointer(&capture);
}

gboolean hf_screen_watch_windows(HfDesktop *desktop, const guint32 *windows, gsize count)
{
    const HfScreenOps *ops = desktop->backend->screen;
    return ops && ops->watch_windows && ops->watch_windows(desktop, windows, count);
}

gboolean hf_screen_get_change_serial(const HfCallContext *context, gboolean cursor,
                                     guint64 *ret_serial, GError **error)
{
    if (!hf_call_context_check(context, error))
        return FALSE;
    HfDesktop *desktop = hf_call_context_desktop(context);
    const HfScreenOps *ops = desktop->backend->screen;
    guint64 list_changes = hf_privacy_mask_count_list_changes(context);
    if (!ops || !ops->get_change_serial)
        return hf_desktop_fail_unsupported(desktop, "detect changes of its screen", error);
    if (!ops->get_change_serial(desktop, cursor, ret_serial, error))
        return FALSE;
    *ret_serial += *ret_serial ? list_changes : 0;
    return TRUE;
}

gboolean hf_screen_highlight(HfDesktop *desktop, HfRect area, guint milliseconds, GError **error)
{
    const HfScreenOps *ops = desktop->backend->screen;
    if (ops && ops->highlight)
        return ops->highlight(desktop, area, milliseconds, error);
    return hf_desktop_fail_unsupported(desktop, "draw on its screen", error);
}

void hf_screen_changes_init(HfScreenChanges *changes)
{
    *changes = (HfScreenChanges){
        .drawn = g_array_new(FALSE, FALSE, sizeof(HfRect)),
        .popups = g_array_new(FALSE, FALSE, sizeof(HfPopup)),
    };
}

void hf_screen_changes_clear(HfScreenChanges *changes)
{
    g_clear_pointer(&changes->drawn, g_array_unref);
    g_clear_pointer(&changes->popups, g_array_unref);
}

HfScreenWatch *hf_screen_watch_new(HfDesktop *desktop, GError **error)
{
    const HfScreenOps *ops = desktop->backend->screen;
    if (ops && ops->watch_new)
        return ops->watch_new(desktop, error);
    hf_desktop_fail_unsupported(desktop, "report what is drawn", error);
    return NULL;
}

void hf_screen_watch_free(HfScreenWatch *watch)
{
    if (watch)
        watch->ops->watch_free(watch);
}

gboolean hf_screen_watch_begin(HfScreenWatch *watch, HfScreenChanges *idle, GError **error)
{
    return watch->ops->watch_begin(watch, idle, error);
}

gboolean hf_screen_watch_read(HfScreenWatch *watch, HfScreenChanges *changes, GError **error)
{
    return watch->ops->watch_read(watch, changes, error);
}

void hf_screen_watch_end(HfScreenWatch *watch, HfScreenChanges *unread)
{
    watch->ops->watch_end(watch, unread);
}
