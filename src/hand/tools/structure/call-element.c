/* SPDX-License-Identifier: Apache-2.0 */
/* Resolves a call to one window, one application or the whole desktop, and to one element in it. */
#include "hand/tools/structure/call-element.h"

#include "hand/apps/running-apps.h"
#include "hand/locate/element-resolver.h"
#include "shared/base/error.h"

static gboolean take_named_window(const HfCall *call, HfTreeScope *scope, GError **error)
{
    g_autoptr(HfWindow) window = NULL;
    if (!hf_call_get_window(call, &window, error))
        return FALSE;
    scope->window = window->id;
    return TRUE;
}

static gboolean take_running_app(const HfCall *call, HfTreeScope *scope, GError **error)
{
    g_autoptr(HfRunningApps) apps = hf_running_apps_list(hf_call_desktop(call), error);
    HfAppQuery query = {hf_call_string(call, "app"), (int)hf_call_int(call, "pid"), FALSE};
    const HfRunningApp *app = apps ? hf_running_apps_find(apps, &query, error) : NULL;
    if (!app)
        return FALSE;
    scope->pid = app->pid;
    return TRUE;
}

static gboolean take_focused_window(const HfCall *call, HfTreeScope *scope, GError **error)
{
    g_autoptr(GPtrArray) windows = hf_windows_list(hf_call_desktop(call), error);
    if (!windows)
        return FALSE;
    const HfWindow *focused = hf_windows_find_focused(windows);
    if (!focused)
        return hf_fail(
            error, HF_ERROR_WINDOW_NOT_FOUND,
            "no window has the focus; give window_id, window_title, app, pid or everything");
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
        found = take_named_window(call, &scope, error);
    else if (hf_call_has(call, "app") || hf_call_has(call, "pid"))
        found = take_running_app(call, &scope, error);
    else if (hf_call_window(call))
        scope.window = hf_call_window(call);
    else if (!hf_call_bool(call, "everything"))
        found = take_focused_window(call, &scope, error);
    if (found)
        *ret_scope = scope;
    return found;
}

gboolean hf_call_names_scope(const HfCall *call)
{
    return hf_call_names_window(call) || hf_call_has(call, "app") || hf_call_has(call, "pid") ||
           hf_call_bool(call, "everything") || hf_call_window(call);
}

HfElement *hf_call_get_element(const HfCall *call, gboolean hidden, GError **error)
{
    g_autoptr(HfSelector) selector = hf_selector_from_json(hf_call_json(call, "target"), error);
    HfTreeScope scope = {0};
    g_auto(HfResolvedElement) located = {0};
    if (!selector || (hf_call_names_scope(call) && !hf_call_get_scope(call, &scope, error)))
        return NULL;
    scope.include_hidden = hidden;
    if (!hf_element_resolve(hf_call_context(call), selector, &scope, hf_call_deadline(call),
                            &located, error))
        return NULL;
    return hf_element_new(hf_call_context(call), located.tree, located.index,
                          hf_call_deadline(call), error);
}
