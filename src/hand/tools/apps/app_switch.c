/* SPDX-License-Identifier: Apache-2.0 */
/* app_switch: brings a running application to the front. A dialog that blocks it gets the focus
 * instead, since that is what a person would see. */
#include "hand/tools/apps/call-app.h"
#include "hand/tools/call-undo.h"
#include "hand/tools/windows/window-report.h"

static const HfWindow *window_to_focus(const HfRunningApps *apps, const HfRunningApp *app)
{
    const HfWindow *window = app->windows->pdata[0];
    for (guint i = 0; i < app->windows->len; i++) {
        const HfWindow *other = app->windows->pdata[i];
        if (!other->minimized && other->kind <= HF_WINDOW_UTILITY) {
            window = other;
            break;
        }
    }
    const HfWindow *dialog = hf_windows_find_modal(apps->windows, window);
    return dialog ? dialog : window;
}

static HfResult *run(HfCall *call, GError **error)
{
    const HfCallContext *context = hf_call_context(call);
    HfDesktop *desktop = hf_call_desktop(call);
    g_autoptr(HfRunningApps) apps = hf_running_apps_list(desktop, error);
    const HfRunningApp *app = apps ? hf_call_get_app(call, apps, FALSE, error) : NULL;
    if (!app)
        return NULL;
    guint32 id = window_to_focus(apps, app)->id;
    guint32 before = hf_call_note_focus(call);
    HfWindowChange change = {.action = HF_WINDOW_FOCUS};
    if (!hf_windows_change(context, id, &change, hf_call_deadline(call), error))
        return NULL;
    g_autoptr(HfWindow) window = hf_windows_get(desktop, id, error);
    if (!window)
        return NULL;
    hf_call_undo_focus(call, before, id);
    return hf_result_new(json_pack("{s:o, s:i, s:o}", "name", hf_json_text(app->name), "pid",
                                   app->pid, "window", hf_window_to_json(window)));
}

static const HfParam params[] = {
    HF_PARAM_APP,
    {0},
};

static const HfParam result[] = {
    HF_STRING("name", "Name of the application", .required = TRUE),
    HF_INTEGER("pid", "Process id; 0 when unknown", .required = TRUE),
    HF_OBJECT("window", "The focused window", .required = TRUE, .fields = hf_window_fields),
    {0},
};

const HfTool hf_tool_app_switch = {
    .name = "app_switch",
    .title = "Switch to an application",
    .summary = "Bring a running application to the front and give it the keyboard focus",
    .category = HF_CATEGORY_APPS,
    .risk = HF_RISK_LOW,
    .level = HF_LEVEL_STANDARD,
    .needs = HF_NEEDS_INPUT,
    .channel = HF_CHANNEL_STRUCTURE,
    .reads = HF_READS_PROGRAMS,
    .effects = HF_EFFECT_NONE,
    .target = HF_TARGET_APP,
    .flags = HF_TOOL_IDEMPOTENT,
    .pace = HF_PACE_FREE,
    .verifies = HF_VERIFY_OWN,
    .timeout_ms = 10000,
    .params = params,
    .result = result,
    .run = run,
};
