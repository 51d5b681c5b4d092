/* SPDX-License-Identifier: Apache-2.0 */
/* A key goes to the focused window and a click to the topmost one. A call that names its window is
 * refused if its input would reach another one. */
#include "hand/main/intended-window.h"

#include <string.h>

#include "hand/desktop/screen.h"
#include "hand/desktop/windows.h"
#include "hand/safety/call-context.h"
#include "hand/tools/resolve-window.h"
#include "shared/base/error.h"
#include "shared/text/text.h"

#define TITLE_BYTES 120

/* The conditions that HfWindowQuery does not have. */
static gboolean window_fits_route(const json_t *route, const HfWindow *window)
{
    const json_t *app = json_object_get(route, "app"), *wanted = json_object_get(route, "window");
    const char *name = hf_json_string(app, "name", NULL);
    const char *equals = hf_json_string(json_object_get(wanted, "title"), "equals", NULL);
    json_int_t pid = hf_json_int(app, "pid", 0), id = hf_json_int(wanted, "id", 0);
    return (!id || (json_int_t)window->id == id) && (!pid || window->pid == pid) &&
           (!equals || strcmp(window->title, equals) == 0) &&
           (!name || hf_text_equal(window->process, name) ||
            hf_text_equal(window->class_name, name) || hf_text_equal(window->instance, name));
}

static HfWindow *find_routed_window(const GPtrArray *windows, const json_t *route, GError **error)
{
    g_autoptr(GPtrArray) fitting = g_ptr_array_new();
    for (guint i = 0; i < windows->len; i++)
        if (window_fits_route(route, windows->pdata[i]))
            g_ptr_array_add(fitting, windows->pdata[i]);
    const json_t *title = json_object_get(json_object_get(route, "window"), "title");
    HfWindowQuery query = {
        .title = json_string_value(title),
        .title_contains = hf_json_string(title, "contains", NULL),
        .title_regex = hf_json_string(title, "regex", NULL),
    };
    HfWindow *window = hf_windows_choose(fitting, &query, error);
    if (!window)
        g_prefix_error(error, "route: ");
    return window;
}

static json_t *routed_window_to_json(const HfWindow *window)
{
    g_autofree char *title = hf_text_shorten(window ? window->title : "", TITLE_BYTES);
    if (!window)
        return json_null();
    return json_pack("{s:I, s:o, s:o, s:o}", "window_id", (json_int_t)window->id, "title",
                     hf_json_text(title), "process", hf_json_text(window->process), "bounds",
                     hf_json_rect(window->bounds));
}

static gboolean fail_route(GError **error, HfErrorCode code, const char *what,
                           const HfWindow *wanted, const HfWindow *there)
{
    g_autofree char *title = hf_text_shorten(wanted->title, TITLE_BYTES);
    g_autofree char *other = hf_text_shorten(there ? there->title : "", TITLE_BYTES);
    hf_fail(error, code, "route: the window '%s' %s%s%s%s", title, what, there ? " '" : "",
            there ? other : "", there ? "'" : "");
    hf_error_take_details(error, json_pack("{s:o, s:o}", "wanted", routed_window_to_json(wanted),
                                           "window", routed_window_to_json(there)));
    return FALSE;
}

/* A window counts as focused if one of its dialogs is. */
static gboolean focus_routed_window(HfCall *call, const GPtrArray *windows, const HfWindow *window,
                                    const char *policy, GError **error)
{
    const HfWindow *focused = hf_windows_find_focused(windows);
    if (focused && (focused == window || hf_windows_is_dialog_of(windows, focused, window)))
        return TRUE;
    if (strcmp(policy, "focus_if_needed") != 0)
        return fail_route(error, HF_ERROR_DESKTOP_FOCUS_LOST,
                          focused ? "is not focused; the focused window is" : "is not focused",
                          window, focused);
    HfWindowChange change = {.action = HF_WINDOW_FOCUS};
    return hf_windows_change(hf_call_context(call), window->id, &change, hf_call_deadline(call),
                             error);
}

static gboolean check_display(HfDesktop *desktop, const HfWindow *window, const json_t *display,
                              GError **error)
{
    g_autoptr(HfScreen) screen = hf_screen_get(desktop, error);
    if (!screen)
        return FALSE;
    HfPoint middle = {window->frame.x + window->frame.width / 2,
                      window->frame.y + window->frame.height / 2};
    for (guint i = 0; i < screen->monitors->len; i++) {
        const HfMonitor *monitor = &g_array_index(screen->monitors, HfMonitor, i);
        gboolean named = json_is_string(display)
                             ? strcmp(monitor->name, json_string_value(display)) == 0
                             : json_number_value(display) == i;
        if (named && hf_rect_contains(monitor->area, middle))
            return TRUE;
    }
    return fail_route(error, HF_ERROR_PRECONDITION_FAILED, "is not on the display of the route",
                      window, NULL);
}

gboolean hf_intended_window_prepare(HfCall *call, const json_t *route, GError **error)
{
    if (!route)
        return TRUE;
    HfDesktop *desktop = hf_call_desktop(call);
    g_autoptr(GPtrArray) windows = hf_windows_list(desktop, error);
    const HfWindow *window = windows ? find_routed_window(windows, route, error) : NULL;
    const json_t *display = json_object_get(route, "display");
    if (!window || (display && !check_display(desktop, window, display, error)))
        return FALSE;
    hf_call_set_window(call, window->id);
    hf_call_context_set_pointer_window(hf_call_context(call), window->id);
    if (hf_call_tool(call)->needs != HF_NEEDS_INPUT)
        return TRUE;
    const HfWindow *dialog = hf_windows_find_modal(windows, window);
    if (dialog)
        return fail_route(error, HF_ERROR_DESKTOP_MODAL_BLOCKING,
                          "is blocked until you answer its dialog", window, dialog);
    hf_call_context_set_keys_window(hf_call_context(call), window->id);
    return focus_routed_window(call, windows, window,
                               hf_json_string(route, "focus_policy", "focus_if_needed"), error);
}
