/* Opening and closing a desktop; the only back end so far is X11. */
#include "platform/desktop.h"

#include "base/error.h"
#include "platform/cover.h"
#include "platform/images.h"
#include "platform/lock-watch.h"
#include "platform/newcomers.h"
#include "platform/secure.h"
#include "platform/x11/x11.h"

HfDesktop *hf_desktop_open(const HfDesktopOptions *options, GError **error)
{
    HfDesktop *desktop = hf_x11_desktop_open(options, error);
    if (!desktop)
        return NULL;
    desktop->spaces = hf_images_new();
    desktop->secure = hf_secure_new();
    desktop->cover = hf_cover_new();
    desktop->newcomers = hf_newcomers_new();
    desktop->lock_watch = hf_lock_watch_new(options->display);
    desktop->brake = hf_brake_new();
    return desktop;
}

gboolean hf_desktop_alive(HfDesktop *desktop)
{
    return desktop->backend->alive(desktop);
}

gboolean hf_desktop_hush(HfDesktop *desktop, gboolean typing)
{
    gpointer above = g_atomic_pointer_get(&desktop->above);
    return !above || desktop->hush_above(above, typing);
}

gboolean hf_desktop_rest(HfDesktop *desktop)
{
    hf_images_rest(desktop->spaces);
    if (desktop->backend->rest)
        desktop->backend->rest(desktop);
    return hf_desktop_hush(desktop, FALSE);
}

void hf_desktop_close(HfDesktop *desktop)
{
    if (!desktop)
        return;
    HfImageSpaces *spaces = desktop->spaces;
    HfSecure *secure = desktop->secure;
    HfCover *cover = desktop->cover;
    HfNewcomers *newcomers = desktop->newcomers;
    HfBrake *brake = desktop->brake;
    hf_secure_stop(secure);
    if (desktop->browsers)
        desktop->free_browsers(desktop->browsers);
    if (desktop->above)
        desktop->free_above(desktop->above);
    hf_lock_watch_free(desktop->lock_watch);
    desktop->backend->close(desktop);
    hf_images_free(spaces);
    hf_secure_free(secure);
    hf_cover_free(cover);
    hf_newcomers_free(newcomers);
    hf_brake_free(brake);
}

gboolean hf_desktop_fail_unsupported(const HfDesktop *desktop, const char *what, GError **error)
{
    return hf_fail(error, HF_ERROR_UNSUPPORTED, "this desktop (%s) cannot %s",
                   desktop->backend->name, what);
}
