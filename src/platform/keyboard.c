/* The words of keyboard.h: each finds its slot in the back end, or says that there is none. */
#include "platform/keyboard.h"

gboolean hf_keyboard_key(HfDesktop *desktop, guint32 keysym, gboolean down, GError **error)
{
    const HfKeyboardOps *ops = desktop->backend->keyboard;
    if (ops && ops->key)
        return ops->key(desktop, keysym, down, error);
    return hf_desktop_fail_unsupported(desktop, "press keys", error);
}
