/* How the changes that tools make can be taken back, in the form of hf_call_take_undo. */
#pragma once

#include "platform/windows.h"
#include "tool/call.h"
#include "tool/errand.h"

/* Why a change cannot be taken back. */
void hf_undo_none(HfCall *call, const char *why);
/* The window that has the focus now, to be given back to hf_undo_focus; 0 when nobody keeps undo
 * or none has it. */
guint32 hf_undo_note_focus(HfCall *call);
/* `window` has got the focus; `before` had it. */
void hf_undo_focus(HfCall *call, guint32 before, guint32 window);
