/* SPDX-License-Identifier: Apache-2.0 */
/* The call context: on whose behalf something is done on a desktop, and what it may touch. It goes
 * down as a parameter with everything that presses, moves, types, takes pictures, reads windows or
 * starts programs, and to the threads that a call starts. Nothing acts without one: whoever is
 * given no context, or one without a fence, is refused. */
#pragma once

#include "shared/base/geometry.h"
#include "shared/base/types.h"

/* Of a call that came from the desk. The desk says in the fence what it must not touch (see
 * hand/safety/fence.h). `human`: a person does it from afar, so no takeover keeps it back. Borrows
 * the desktop, keeps the fence. */
HfCallContext *hf_call_context_new(HfDesktop *desktop, HfFence *fence, gboolean human);
/* Of something that no caller asked for, so that no fence can apply to it. `why` says what it is,
 * for whoever reads the code or the debug log: each use is a hole in the fence. Without a reason it
 * is refused like a context without a fence. */
HfCallContext *hf_call_context_new_unfenced(HfDesktop *desktop, const char *why);
void hf_call_context_free(HfCallContext *context);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfCallContext, hf_call_context_free)

/* Before anything is done: FALSE with INTERNAL when there is no context, or none that says what it
 * may touch. */
gboolean hf_call_context_check(const HfCallContext *context, GError **error);
/* The same before something is pressed or moved: also STOPPED or PAUSED when the brake is on. */
gboolean hf_call_context_check_input(const HfCallContext *context, GError **error);
/* Something was pressed or moved. What a person does from afar is not counted as ours. */
void hf_call_context_note_input(const HfCallContext *context);

/* NULL: there is no context. Borrowed. */
HfDesktop *hf_call_context_desktop(const HfCallContext *context);
/* NULL: nobody has said what may be touched, so nothing may. Borrowed. */
const HfFence *hf_call_context_fence(const HfCallContext *context);

/* The window that the call is meant for: a click or a key that would reach another one is refused
 * (hand/safety/target-window.h). For the pointer and for keys apart, since keys that are held
 * during a click go to whatever has the focus. 0: any window. */
void hf_call_context_aim_keys(HfCallContext *context, guint32 window);
/* Only the first one counts: a drag may end in another window. */
void hf_call_context_aim_pointer(HfCallContext *context, guint32 window);
guint32 hf_call_context_keys_window(const HfCallContext *context);
guint32 hf_call_context_pointer_window(const HfCallContext *context);

/* Told of the point right before a button goes down there or the wheel turns; NULL: nobody. */
typedef void (*HfPressObserver)(HfPoint point, gpointer data);
void hf_call_context_set_observer(HfCallContext *context, HfPressObserver observer, gpointer data);
void hf_call_context_tell_observer(const HfCallContext *context, HfPoint point);
