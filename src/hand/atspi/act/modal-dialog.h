/* SPDX-License-Identifier: Apache-2.0 */
/* Modal dialogs: input to a window that waits for its dialog has no effect, so it is refused with
 * an error that names the dialog and its buttons. */
#pragma once

#include "hand/desktop/desktop.h"
#include "shared/base/deadline.h"

/* DESKTOP_MODAL_BLOCKING when a dialog blocks this window; 0: any window. Details:
 * {"wanted": {window_id, title}, "window": {window_id, title, process?, modal}}. */
gboolean hf_modal_check(HfDesktop *desktop, guint32 window, GError **error);

/* Adds a blocking dialog's texts (`says`) and buttons (`buttons`: [{ref, name}]) to an error that
 * names it, if they can be read quickly. Leaves other errors alone. */
void hf_modal_explain(const HfCallContext *context, const HfDeadline *deadline, GError **error);
