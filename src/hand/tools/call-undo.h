/* SPDX-License-Identifier: Apache-2.0 */
/* How the changes of a tool can be undone, in the form of hf_call_take_undo. */
#pragma once

#include "hand/desktop/windows.h"
#include "shared/tool/call.h"
#include "shared/tool/errand.h"

/* Reports why the change cannot be undone. */
void hf_call_refuse_undo(HfCall *call, const char *why);
/* The focused window, for hf_call_undo_focus; 0 when none is focused or the caller keeps no undo.
 */
guint32 hf_call_note_focus(HfCall *call);
/* Undoes a change of focus from `before` to `window`. */
void hf_call_undo_focus(HfCall *call, guint32 before, guint32 window);
