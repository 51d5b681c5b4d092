/* SPDX-License-Identifier: Apache-2.0 */
/* One window, one application, or the whole desktop. */
#include "hand/tools/structure/call-scope.h"

#include "hand/apps/running-apps.h"
#include "shared/base/error.h"

static gboolean take_window(const HfCall *call, HfTreeScope *scope, GError **error)
{
    g_autoptr(HfWindow) window = NULL;
    if (!hf_call_get_window(call, &window, error))
        return FALSE;
    scope->window = window->id;
    return TRUE;
}

static gboolean take_app(const HfCall *call, HfTreeScope *scope, GError **error)
{
    g_autoptr(HfRunningApps) apps = hf_running_apps_list(hf_call_desktop(call), error);
    HfAppQuery query = {hf_call_string(call, "app"), (int)hf_call_int(call, "pid"), FALSE};
    const HfRunningApp *app = apps ? hf_running_apps_find(apps, &query, error) : NULL;
    if (!app)
        return FALSE;
    scope->pid = app->pid;
    return TRUE;
}

/* Where nothing has the focus, there is no window that could be meant. */
static gboolean take_focused(const HfCall *call, HfTreeScope *scope, GError **error)
{
    g_autoptr(GPtrArray) windows = hf_windows_list(hf_call_desktop(call), error);
    if (!windows)
        return FALSE;
    const HfWindow *focused = hf_windows_find_focused(windows);
    if (!focused)
        return hf_fail(error, HF_ERROR_WINDOW_NOT_FOUND,
                       "no window has the focus; give window_id, window_title, app or everything");
    scope->window = focused->id;
    return TRUE;
}

gboolean hf_call_get_scope(const HfCall *call, HfTreeScope *ret_scope, GError **error)
{
    HfTreeScope scope = {
        .max_depth = (int)hf_call_int(call, "max_depth"),
        .max_nodes = (int)hf_call_int(call, "max_nodes"),
        .max_ms = (int)hf_call_int(call, "max_ms"),
    };
    gboolean found = TRUE;
    if (hf_call_names_window(call))
        found = take_window(call, &scope, error);
    else if (hf_call_has(call, "app") || hf_call_has(call, "pid"))
        found = take_app(call, &scope, error);
    else if (hf_call_window(call))
        scope.window = hf_call_window(call);
    else if (!hf_call_bool(call, "everything"))
        found = take_focused(call, &scope, error);
    if (found)
        *ret_scope = scope;
    return found;
}
