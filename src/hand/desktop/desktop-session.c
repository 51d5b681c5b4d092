/* SPDX-License-Identifier: Apache-2.0 */
/* The words of desktop-session.h. A screen is locked when anyone who can know says so: the display,
 * the desktop environment's screen saver, or the login manager. */
#include "hand/desktop/desktop-session.h"

#include "hand/desktop/lock-watch.h"

gboolean hf_desktop_session_get_lock(HfDesktop *desktop, gboolean *ret_locked, GError **error)
{
    const HfSessionOps *ops = desktop->backend->session;
    gboolean locked = FALSE;
    if (ops && ops->get_lock && !ops->get_lock(desktop, &locked, error))
        return FALSE;
    *ret_locked = locked || hf_lock_watch_is_locked(desktop->lock_watch);
    return TRUE;
}

const char *hf_desktop_session_backend(const HfDesktop *desktop)
{
    return desktop->backend->name;
}

gboolean hf_desktop_session_dup_window_manager(HfDesktop *desktop, char **ret_name, GError **error)
{
    const HfSessionOps *ops = desktop->backend->session;
    if (ops && ops->dup_window_manager)
        return ops->dup_window_manager(desktop, ret_name, error);
    return hf_desktop_fail_unsupported(desktop, "tell which window manager runs", error);
}

gboolean hf_desktop_session_dup_layout(HfDesktop *desktop, char **ret_layout, GError **error)
{
    const HfSessionOps *ops = desktop->backend->session;
    if (ops && ops->dup_layout)
        return ops->dup_layout(desktop, ret_layout, error);
    return hf_desktop_fail_unsupported(desktop, "tell the keyboard's layout", error);
}
