/* SPDX-License-Identifier: Apache-2.0 */
/* Password fields: where they are is told to whoever takes pictures with every reading, and whether
 * one has the keyboard to whoever types. */
#pragma once

#include "hand/atspi/tree/tree.h"
#include "hand/desktop/windows.h"
#include "shared/base/deadline.h"

/* From now on windows are looked at for them when pictures are taken. */
void hf_password_fields_start_finder(HfDesktop *desktop);
/* What a reading of these windows has found: all of them, or of one program or window (0: any). */
void hf_password_fields_note(HfDesktop *desktop, const GPtrArray *windows, guint32 window, int pid,
                             const HfTree *tree);
/* Whether keys would go into one. Asks the program only when its window has one, or was not looked
 * at for a while. */
gboolean hf_password_fields_have_focus(HfDesktop *desktop, const HfDeadline *deadline);
