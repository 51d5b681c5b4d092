/* SPDX-License-Identifier: Apache-2.0 */
/* Opens and closes a desktop. X11 is the only back end so far. */
#include "hand/desktop/desktop.h"

#include "hand/desktop/desktop-session.h"
#include "hand/desktop/image-spaces.h"
#include "hand/desktop/launch-namespace.h"
#include "hand/desktop/new-windows.h"
#include "hand/safety/password-mask.h"
#include "hand/safety/privacy-mask.h"
#include "hand/x11/core/x11.h"
#include "shared/base/error.h"

HfDesktop *hf_desktop_open(const HfDesktopOptions *options, GError **error)
{
    HfDesktop *desktop = hf_x11_desktop_open(options, error);
    if (!desktop)
        return NULL;
    desktop->spaces = hf_image_spaces_new();
    desktop->password_mask = hf_password_mask_new();
    desktop->privacy_mask = hf_privacy_mask_new();
    desktop->new_windows = hf_new_windows_new();
    desktop->lock_watch = hf_lock_watch_new(options->display);
    desktop->brake = hf_brake_new();
    desktop->launches = options->namespace ? hf_launch_namespace_new() : NULL;
    return desktop;
}

HfLaunchNamespace *hf_desktop_get_launch_namespace(const HfDesktop *desktop)
{
    return desktop->launches;
}

gboolean hf_desktop_alive(HfDesktop *desktop)
{
    return desktop->backend->alive(desktop);
}

gboolean hf_desktop_pause_event_listeners(HfDesktop *desktop, gboolean typing)
{
    gpointer atspi = g_atomic_pointer_get(&desktop->atspi);
    return !atspi || desktop->pause_atspi(atspi, typing);
}

gboolean hf_desktop_trim_memory(HfDesktop *desktop)
{
    hf_image_spaces_trim(desktop->spaces);
    if (desktop->backend->trim_memory)
        desktop->backend->trim_memory(desktop);
    return hf_desktop_pause_event_listeners(desktop, FALSE);
}

void hf_desktop_close(HfDesktop *desktop)
{
    if (!desktop)
        return;
    HfImageSpaces *spaces = desktop->spaces;
    HfPasswordMask *password_mask = desktop->password_mask;
    HfPrivacyMask *privacy_mask = desktop->privacy_mask;
    HfNewWindows *new_windows = desktop->new_windows;
    HfBrake *brake = desktop->brake;
    HfLaunchNamespace *launches = desktop->launches;
    hf_password_mask_stop(password_mask);
    if (desktop->browsers)
        desktop->free_browsers(desktop->browsers);
    if (desktop->atspi)
        desktop->free_atspi(desktop->atspi);
    hf_lock_watch_free(desktop->lock_watch);
    desktop->backend->close(desktop);
    hf_image_spaces_free(spaces);
    hf_password_mask_free(password_mask);
    hf_privacy_mask_free(privacy_mask);
    hf_new_windows_free(new_windows);
    hf_brake_free(brake);
    hf_launch_namespace_free(launches);
}

gboolean hf_desktop_fail_unsupported(const HfDesktop *desktop, const char *what, GError **error)
{
    return hf_fail(error, HF_ERROR_UNSUPPORTED, "this desktop (%s) cannot %s",
                   desktop->backend->name, what);
}
