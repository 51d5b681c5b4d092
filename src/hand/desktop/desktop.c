/* SPDX-License-Identifier: Apache-2.0 */
/* Opening and closing a desktop; the only back end so far is X11. */
#include "hand/desktop/desktop.h"

#include "hand/desktop/image-spaces.h"
#include "hand/desktop/lock-watch.h"
#include "hand/desktop/new-windows.h"
#include "hand/safety/blocked-window-mask.h"
#include "hand/safety/password-mask.h"
#include "hand/x11/core/x11.h"
#include "shared/base/error.h"

HfDesktop *hf_desktop_open(const HfDesktopOptions *options, GError **error)
{
    HfDesktop *desktop = hf_x11_desktop_open(options, error);
    if (!desktop)
        return NULL;
    desktop->spaces = hf_image_spaces_new();
    desktop->secure = hf_password_mask_new();
    desktop->cover = hf_blocked_window_mask_new();
    desktop->newcomers = hf_new_windows_new();
    desktop->lock_watch = hf_lock_watch_new(options->display);
    desktop->brake = hf_brake_new();
    return desktop;
}

gboolean hf_desktop_alive(HfDesktop *desktop)
{
    return desktop->backend->alive(desktop);
}

gboolean hf_desktop_pause_event_listeners(HfDesktop *desktop, gboolean typing)
{
    gpointer above = g_atomic_pointer_get(&desktop->above);
    return !above || desktop->hush_above(above, typing);
}

gboolean hf_desktop_trim_memory(HfDesktop *desktop)
{
    hf_image_spaces_trim(desktop->spaces);
    if (desktop->backend->rest)
        desktop->backend->rest(desktop);
    return hf_desktop_pause_event_listeners(desktop, FALSE);
}

void hf_desktop_close(HfDesktop *desktop)
{
    if (!desktop)
        return;
    HfImageSpaces *spaces = desktop->spaces;
    HfPasswordMask *secure = desktop->secure;
    HfBlockedWindowMask *cover = desktop->cover;
    HfNewWindows *newcomers = desktop->newcomers;
    HfBrake *brake = desktop->brake;
    hf_password_mask_stop(secure);
    if (desktop->browsers)
        desktop->free_browsers(desktop->browsers);
    if (desktop->above)
        desktop->free_above(desktop->above);
    hf_lock_watch_free(desktop->lock_watch);
    desktop->backend->close(desktop);
    hf_image_spaces_free(spaces);
    hf_password_mask_free(secure);
    hf_blocked_window_mask_free(cover);
    hf_new_windows_free(newcomers);
    hf_brake_free(brake);
}

gboolean hf_desktop_fail_unsupported(const HfDesktop *desktop, const char *what, GError **error)
{
    return hf_fail(error, HF_ERROR_UNSUPPORTED, "this desktop (%s) cannot %s",
                   desktop->backend->name, what);
}
