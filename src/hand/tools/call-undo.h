/* SPDX-License-Identifier: Apache-2.0 */
/* How the changes that tools make can be taken back, in the form of hf_call_take_undo. */
#pragma once

#include "hand/desktop/windows.h"
#include "shared/tool/call.h"
#include "shared/tool/errand.h"

/* Why a change cannot be taken back. */
void hf_call_refuse_undo(HfCall *call, const char *why);
/* The window that has the focus now, to be given back to hf_call_undo_focus; 0 when nobody keeps
 * undo or none has it. */
guint32 hf_call_note_focus(HfCall *call);
/* `window` has got the focus; `before` had it. */
void hf_call_undo_focus(HfCall *call, guint32 before, guint32 window);
