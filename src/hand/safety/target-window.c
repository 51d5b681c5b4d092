/* SPDX-License-Identifier: Apache-2.0 */
/* Asks the display which window an event would reach, right before it leaves. Menus and tooltips
 * count as part of the windows of their program. */
#include "hand/safety/target-window.h"

#include "hand/desktop/desktop.h"
#include "hand/desktop/windows.h"
#include "hand/safety/call-context.h"
#include "shared/base/error.h"

static json_t *window_to_details(const HfWindow *window)
{
    json_t *details = json_pack("{s:I, s:o}", "window_id", (json_int_t)window->id, "title",
                                hf_json_text(window->title));
    if (window->process)
        json_object_set_new(details, "process", hf_json_text(window->process));
    return details;
}

static gboolean fail_wrong_window(const HfWindow *wanted, const HfWindow *there, gboolean modal,
                                  const char *what, GError **error)
{
    if (!there)
        hf_fail(error, HF_ERROR_DESKTOP_FOCUS_LOST, "%s would not reach the window '%s'", what,
                wanted->title);
    else
        hf_fail(error, modal ? HF_ERROR_DESKTOP_MODAL_BLOCKING : HF_ERROR_DESKTOP_FOCUS_LOST,
                "%s would reach the window '%s' instead of '%s'", what, there->title,
                wanted->title);
    json_t *details = json_pack("{s:o}", "wanted", window_to_details(wanted));
    if (there)
        json_object_set_new(details, "window", window_to_details(there));
    hf_error_take_details(error, details);
    return FALSE;
}

/* All windows, topmost first, and the one with the id `target`. */
static GPtrArray *list_target_windows(HfDesktop *desktop, guint32 target,
                                      const HfWindow **ret_wanted, GError **error)
{
    g_autoptr(GPtrArray) windows = hf_windows_list(desktop, error);
    if (!windows)
        return NULL;
    *ret_wanted = hf_windows_find(windows, target);
    if (*ret_wanted)
        return g_steal_pointer(&windows);
    hf_fail(error, HF_ERROR_WINDOW_NOT_FOUND,
            "the window %u, which this call is for, is gone; see window_list", target);
    return NULL;
}

/* The first window on the event's way that the window manager manages. */
static const HfWindow *find_managed_window(const GPtrArray *windows, const GPtrArray *passed)
{
    for (guint i = 0; i < passed->len; i++) {
        const HfWindow *window = hf_windows_find(windows, ((const HfWindow *)passed->pdata[i])->id);
        if (window)
            return window;
    }
    return NULL;
}

static const HfWindow *find_by_frame(const GPtrArray *windows, HfPoint point)
{
    for (guint i = 0; i < windows->len; i++) {
        const HfWindow *window = windows->pdata[i];
        if (window->visible && hf_rect_contains(window->frame, point))
            return window;
    }
    return NULL;
}

/* Frames have no title and no class; popups of programs usually have one. */
static gboolean is_popup_of_other(const HfWindow *outer, const HfWindow *wanted)
{
    gboolean named = (outer->title && *outer->title) || (outer->class_name && *outer->class_name);
    return named && outer->pid && outer->pid != wanted->pid;
}

gboolean hf_target_window_check_point(const HfCallContext *context, HfPoint point, GError **error)
{
    if (!hf_call_context_check(context, error))
        return FALSE;
    HfDesktop *desktop = hf_call_context_desktop(context);
    const HfWindowOps *ops = desktop->backend->windows;
    guint32 target = hf_call_context_pointer_window(context);
    if (!target || !ops || !ops->identify)
        return TRUE;
    const HfWindow *wanted;
    g_autoptr(GPtrArray) windows = list_target_windows(desktop, target, &wanted, error);
    g_autoptr(GPtrArray) passed = windows ? ops->identify(desktop, &point, error) : NULL;
    if (!passed)
        return FALSE;
    const HfWindow *outer = passed->len > 0 ? passed->pdata[0] : NULL;
    const HfWindow *there = find_managed_window(windows, passed);
    if (!there && outer && is_popup_of_other(outer, wanted))
        return fail_wrong_window(wanted, outer, FALSE, "the click", error);
    gboolean popup = !there && outer && outer->pid && outer->pid == wanted->pid;
    if (!there)
        there = find_by_frame(windows, point);
    if (popup || (there && there->id == wanted->id))
        return TRUE;
    gboolean modal = there && there == hf_windows_find_modal(windows, wanted);
    return fail_wrong_window(wanted, there, modal, "the click", error);
}

gboolean hf_target_window_check_focus(const HfCallContext *context, GError **error)
{
    if (!hf_call_context_check(context, error))
        return FALSE;
    guint32 target = hf_call_context_keys_window(context);
    if (!target)
        return TRUE;
    HfDesktop *desktop = hf_call_context_desktop(context);
    const HfWindow *wanted;
    g_autoptr(GPtrArray) windows = list_target_windows(desktop, target, &wanted, error);
    if (!windows)
        return FALSE;
    const HfWindow *focused = hf_windows_find_focused(windows);
    if (focused && (focused->id == wanted->id || hf_windows_is_dialog_of(windows, focused, wanted)))
        return TRUE;
    gboolean modal = focused && focused == hf_windows_find_modal(windows, wanted);
    return fail_wrong_window(wanted, focused, modal, "the keys", error);
}
