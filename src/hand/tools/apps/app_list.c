/* SPDX-License-Identifier: Apache-2.0 */
/* app_list: lists the applications that have windows, frontmost first. */
#include "hand/apps/running-apps.h"
#include "hand/tools/windows/window-report.h"
#include "shared/tool/call.h"

static json_t *app_to_json(const HfRunningApp *app, gboolean with_windows)
{
    json_t *json =
        json_pack("{s:o, s:i, s:b, s:i}", "name", hf_json_text(app->name), "pid", app->pid,
                  "focused", app->focused, "window_count", (int)app->windows->len);
    if (app->process)
        json_object_set_new(json, "process", hf_json_text(app->process));
    if (app->desktop_id)
        json_object_set_new(json, "desktop_id", hf_json_text(app->desktop_id));
    if (!with_windows)
        return json;
    json_t *windows = json_array();
    for (guint i = 0; i < app->windows->len; i++)
        json_array_append_new(windows, hf_window_to_json(app->windows->pdata[i]));
    json_object_set_new(json, "windows", windows);
    return json;
}

static HfResult *run(HfCall *call, GError **error)
{
    g_autoptr(HfRunningApps) apps = hf_running_apps_list(hf_call_desktop(call), error);
    if (!apps)
        return NULL;
    json_t *list = json_array();
    for (guint i = 0; i < apps->apps->len; i++)
        json_array_append_new(
            list, app_to_json(apps->apps->pdata[i], hf_call_bool(call, "include_windows")));
    return hf_result_new(json_pack("{s:o}", "apps", list));
}

static const HfParam params[] = {
    HF_BOOLEAN("include_windows", "Also list the windows of each application", .fallback = "false"),
    {0},
};

static const HfParam window = {.type = HF_TYPE_OBJECT, .fields = hf_window_fields};

static const HfParam app_fields[] = {
    HF_STRING("name", "Name of the application", .required = TRUE),
    HF_INTEGER("pid", "Process id; 0 when unknown", .required = TRUE),
    HF_STRING("process", "Name of the executable, when known"),
    HF_STRING("desktop_id", "Id of its .desktop file, when it is installed"),
    HF_BOOLEAN("focused", "Has the keyboard focus", .required = TRUE),
    HF_INTEGER("window_count", "At least 1", .required = TRUE),
    HF_ARRAY("windows", "With include_windows; topmost first", .items = &window),
    {0},
};

static const HfParam app = {.type = HF_TYPE_OBJECT, .fields = app_fields};

static const HfParam result[] = {
    HF_ARRAY("apps", "One per process, frontmost first", .required = TRUE, .items = &app),
    {0},
};

const HfTool hf_tool_app_list = {
    .name = "app_list",
    .title = "List running applications",
    .summary = "List the applications that have windows, frontmost first: name, pid, process",
    .category = HF_CATEGORY_APPS,
    .risk = HF_RISK_LOW,
    .level = HF_LEVEL_READ_ONLY,
    .needs = HF_NEEDS_NEITHER,
    .channel = HF_CHANNEL_STRUCTURE,
    .reads = HF_READS_PROGRAMS,
    .effects = HF_EFFECT_NONE,
    .target = HF_TARGET_NOTHING,
    .flags = HF_TOOL_READ_ONLY | HF_TOOL_IDEMPOTENT,
    .pace = HF_PACE_FREE,
    .verifies = HF_VERIFY_NOTHING,
    .timeout_ms = 5000,
    .params = params,
    .result = result,
    .run = run,
};
