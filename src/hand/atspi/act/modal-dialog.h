/* SPDX-License-Identifier: Apache-2.0 */
/* Dialogs that have to be answered before their window can be used: what is done to that window
 * would come to nothing, so it is refused, and the dialog named with the strategy to answer it. */
#pragma once

#include "hand/desktop/desktop.h"
#include "shared/base/deadline.h"

/* DESKTOP_MODAL_BLOCKING when a dialog keeps this window from being used; 0: any window. Details:
 * {"wanted": {window_id, title}, "window": {window_id, title, process?, modal}}. */
gboolean hf_modal_check(HfDesktop *desktop, guint32 window, GError **error);

/* Adds to an error that names a dialog in the way what the dialog says (`says`) and its buttons
 * (`buttons`: [{ref, name}]), as far as they can be read soon. Others are left as they are. */
void hf_modal_explain(HfDesktop *desktop, const HfDeadline *deadline, GError **error);
