/* SPDX-License-Identifier: Apache-2.0 */
/* The call context: for whom something is done on a desktop, and what it may touch. Everything that
 * presses, moves, types, takes pictures, reads windows or starts programs takes one as a parameter,
 * and so do the threads that a call starts. Without a context, or with one that has no fence,
 * everything is refused. */
#pragma once

#include "shared/base/geometry.h"
#include "shared/base/types.h"

/* For a call from the desk. The fence (hand/safety/fence.h) says what it must not touch. `human`: a
 * remote person does it, so a takeover does not stop it. Borrows the desktop, refs the fence. */
HfCallContext *hf_call_context_new(HfDesktop *desktop, HfFence *fence, gboolean human);
/* For work that no caller asked for, so no fence applies. Each use is a hole in the fence: `why`
 * gives the reason in the code and the debug log. Without one everything is refused. */
HfCallContext *hf_call_context_new_unfenced(HfDesktop *desktop, const char *why);
void hf_call_context_free(HfCallContext *context);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfCallContext, hf_call_context_free)

/* Fails with INTERNAL without a context or without a fence. */
gboolean hf_call_context_check(const HfCallContext *context, GError **error);
/* The same before a press or a move: also STOPPED or PAUSED when the brake is on. */
gboolean hf_call_context_check_input(const HfCallContext *context, GError **error);
/* Records that we pressed or moved something. Input of a remote person does not count as ours. */
void hf_call_context_note_input(const HfCallContext *context);

/* NULL without a context. Borrowed. */
HfDesktop *hf_call_context_desktop(const HfCallContext *context);
/* NULL: nothing may be touched. Borrowed. */
const HfFence *hf_call_context_fence(const HfCallContext *context);

/* The window that the call means: a click or a key that would reach another one is refused
 * (hand/safety/target-window.h). Pointer and keys are separate, because keys held during a click go
 * to the focused window. 0: any window. */
void hf_call_context_set_keys_window(HfCallContext *context, guint32 window);
/* Only the first window counts: a drag may end in another one. */
void hf_call_context_set_pointer_window(HfCallContext *context, guint32 window);
guint32 hf_call_context_keys_window(const HfCallContext *context);
guint32 hf_call_context_pointer_window(const HfCallContext *context);

/* Called with the point right before a button goes down or the wheel turns there; may be NULL. */
typedef void (*HfPressObserver)(HfPoint point, gpointer data);
void hf_call_context_set_observer(HfCallContext *context, HfPressObserver observer, gpointer data);
void hf_call_context_notify_observer(const HfCallContext *context, HfPoint point);
