/* Opening and closing a desktop; the only back end so far is X11. */
#include "platform/desktop.h"

#include "base/error.h"
#include "platform/x11/x11.h"

HfDesktop *hf_desktop_open(const HfDesktopOptions *options, GError **error)
{
    return hf_x11_desktop_open(options, error);
}

void hf_desktop_close(HfDesktop *desktop)
{
    if (desktop)
        desktop->backend->close(desktop);
}
