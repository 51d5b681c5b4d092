/* SPDX-License-Identifier: Apache-2.0 */
/* Password fields: every reading reports their positions to the screenshot mask, and typing asks
 * whether one of them has the keyboard. */
#pragma once

#include "hand/atspi/tree/tree.h"
#include "hand/desktop/windows.h"
#include "shared/base/deadline.h"

/* From now on, screenshots search the windows for password fields. */
void hf_password_fields_start_finder(HfDesktop *desktop);
/* Records what a reading of these windows has found, for one window or program (0: any). */
void hf_password_fields_note(HfDesktop *desktop, const GPtrArray *windows, guint32 window, int pid,
                             const HfTree *tree);
/* Whether keys would go into one. Reads the focused window only when it has a password field, or
 * was not read for a while. */
gboolean hf_password_fields_have_focus(HfDesktop *desktop, const HfDeadline *deadline);
