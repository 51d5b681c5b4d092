/* SPDX-License-Identifier: Apache-2.0 */
/* window_list: lists the open windows, topmost first. It raises none. */
#include "hand/tools/resolve-window.h"
#include "hand/tools/windows/window-report.h"
#include "shared/base/limits.h"
#include "shared/tool/call.h"

static HfResult *run(HfCall *call, GError **error)
{
    HfWindowQuery query = {
        .title_contains = hf_call_string(call, "title"),
        .process = hf_call_string(call, "process"),
    };
    g_autoptr(GPtrArray) windows = hf_windows_list(hf_call_desktop(call), error);
    if (!windows)
        return NULL;
    g_autoptr(GPtrArray) found = hf_windows_filter(windows, &query, error);
    if (!found)
        return NULL;
    json_t *list = json_array();
    for (guint i = 0; i < found->len; i++) {
        const HfWindow *window = found->pdata[i];
        if (window->visible || !hf_call_bool(call, "visible_only"))
            json_array_append_new(list, hf_window_to_json(window));
    }
    return hf_result_new(json_pack("{s:o, s:i}", "windows", list, "open", (int)windows->len));
}

static const HfParam params[] = {
    HF_BOOLEAN("visible_only", "Leave out windows that are minimised or on another workspace",
               .fallback = "false"),
    HF_STRING("process", "Only windows of this executable, in any case", .means = HF_MEANS_WINDOW,
              .min = 1, .max = HF_LIMIT_TITLE_BYTES),
    HF_STRING("title", "Only windows whose title contains this, in any case",
              .means = HF_MEANS_WINDOW, .min = 1, .max = HF_LIMIT_TITLE_BYTES),
    {0},
};

static const HfParam entry = {.type = HF_TYPE_OBJECT, .fields = hf_window_fields};

static const HfParam result[] = {
    HF_ARRAY("windows", "Topmost first", .required = TRUE, .items = &entry),
    HF_INTEGER("open", "How many windows are open, without the filters", .required = TRUE),
    {0},
};

const HfTool hf_tool_window_list = {
    .name = "window_list",
    .title = "List windows",
    .summary = "List the open windows, topmost first: id, title, process, position, state",
    .category = HF_CATEGORY_WINDOWS,
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
