/* SPDX-License-Identifier: Apache-2.0 */
/* One context per call. The fence never changes, so any thread of the call may read it. Only the
 * call's own thread sets the windows and the observer, before it acts. */
#include "hand/safety/call-context.h"

#include "hand/desktop/desktop.h"
#include "hand/safety/fence.h"
#include "shared/base/error.h"

struct HfCallContext {
    HfDesktop *desktop;
    HfFence *fence; /* NULL: everything is refused */
    gboolean human;
    guint32 pointer_window, keys_window; /* 0: any */
    HfPressObserver observer;
    gpointer observer_data;
};

HfCallContext *hf_call_context_new(HfDesktop *desktop, HfFence *fence, gboolean human)
{
    HfCallContext *context = g_new0(HfCallContext, 1);
    context->desktop = desktop;
    context->fence = fence ? hf_fence_ref(fence) : NULL;
    context->human = human;
    return context;
}

HfCallContext *hf_call_context_new_unfenced(HfDesktop *desktop, const char *why)
{
    g_autoptr(HfFence) open = why && *why ? hf_fence_new_open() : NULL;
    g_debug("call context without a fence: %s", why ? why : "no reason given, so refused");
    return hf_call_context_new(desktop, open, FALSE);
}

void hf_call_context_free(HfCallContext *context)
{
    if (!context)
        return;
    hf_fence_unref(context->fence);
    g_free(context);
}

gboolean hf_call_context_check(const HfCallContext *context, GError **error)
{
    return (context && context->fence) ||
           hf_fail(error, HF_ERROR_INTERNAL, "the call has no fence, so it may touch nothing");
}

gboolean hf_call_context_check_input(const HfCallContext *context, GError **error)
{
    return hf_call_context_check(context, error) &&
           hf_brake_check(context->desktop->brake, !context->human, error);
}

void hf_call_context_note_input(const HfCallContext *context)
{
    if (context && !context->human)
        hf_brake_note_injected(context->desktop->brake);
}

HfDesktop *hf_call_context_desktop(const HfCallContext *context)
{
    return context ? context->desktop : NULL;
}

const HfFence *hf_call_context_fence(const HfCallContext *context)
{
    return context ? context->fence : NULL;
}

void hf_call_context_set_keys_window(HfCallContext *context, guint32 window)
{
    context->keys_window = window;
}

void hf_call_context_set_pointer_window(HfCallContext *context, guint32 window)
{
    if (!context->pointer_window)
        context->pointer_window = window;
}

guint32 hf_call_context_keys_window(const HfCallContext *context)
{
    return context->keys_window;
}

guint32 hf_call_context_pointer_window(const HfCallContext *context)
{
    return context->pointer_window;
}

void hf_call_context_set_observer(HfCallContext *context, HfPressObserver observer, gpointer data)
{
    context->observer = observer;
    context->observer_data = data;
}

void hf_call_context_notify_observer(const HfCallContext *context, HfPoint point)
{
    if (context->observer)
        context->observer(point, context->observer_data);
}
