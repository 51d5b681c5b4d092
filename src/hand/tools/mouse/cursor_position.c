/* SPDX-License-Identifier: Apache-2.0 */
/* cursor_position: reports where the pointer is, on which display, and over which window. */
#include "hand/desktop/screen.h"
#include "hand/tools/mouse/call-mouse.h"
#include "hand/tools/resolve-window.h"

static int display_at(const HfScreen *screen, HfPoint point)
{
    for (guint i = 0; i < screen->monitors->len; i++)
        if (hf_rect_contains(g_array_index(screen->monitors, HfMonitor, i).area, point))
            return (int)i;
    return 0;
}

static HfResult *run(HfCall *call, GError **error)
{
    HfDesktop *desktop = hf_call_desktop(call);
    HfPointerState state;
    if (!hf_pointer_get(hf_call_context(call), &state, error))
        return NULL;
    g_autoptr(HfScreen) screen = hf_screen_get(desktop, error);
    if (!screen)
        return NULL;
    g_autoptr(GPtrArray) windows = hf_windows_list(desktop, error);
    if (!windows)
        return NULL;
    json_t *json = hf_json_point(state.point);
    json_object_set_new(json, "display", json_integer(display_at(screen, state.point)));
    const HfWindow *window = hf_windows_find_at(windows, state.point);
    if (window) {
        json_object_set_new(json, "window_id", json_integer(window->id));
        json_object_set_new(json, "window_title", hf_json_text(window->title));
    }
    return hf_result_new(json);
}

static const HfParam params[] = {{0}};

static const HfParam result[] = {
    HF_REQUIRED("x", HF_TYPE_INTEGER, "Physical pixels"),
    HF_REQUIRED("y", HF_TYPE_INTEGER, "Physical pixels"),
    HF_REQUIRED("display", HF_TYPE_INTEGER, "Number of the display, as in system_info"),
    HF_OPTIONAL("window_id", HF_TYPE_INTEGER,
                "The topmost window there; absent over the bare desktop"),
    HF_OPTIONAL("window_title", HF_TYPE_STRING, "Its title"),
    {0},
};

const HfTool hf_tool_cursor_position = {
    .name = "cursor_position",
    .title = "Position of the pointer",
    .summary = "Return where the mouse pointer is in physical pixels, on which display, and the "
               "window under it.",
    .category = HF_CATEGORY_MOUSE,
    .risk = HF_RISK_LOW,
    .level = HF_LEVEL_READ_ONLY,
    .needs = HF_NEEDS_NEITHER,
    .channel = HF_CHANNEL_SEMANTIC,
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
