/* SPDX-License-Identifier: Apache-2.0 */
/* The keyboard's barrier covers input of any kind. */
#include "hand/desktop/input-settle.h"

#include "hand/desktop/keyboard.h"

gboolean hf_input_settle_window(HfDesktop *desktop, guint32 window, const HfDeadline *deadline,
                                GError **error)
{
    const HfKeyboardOps *ops = desktop->backend->keyboard;
    if (ops && ops->settle)
        return ops->settle(desktop, window, deadline, error);
    return hf_desktop_fail_unsupported(desktop, "find out whether a program has read its input",
                                       error);
}
