/* SPDX-License-Identifier: Apache-2.0 */
/* cursor_position: where the pointer is, on which display, over which window. */
#include "hand/desktop/screen.h"
#include "hand/desktop/windows.h"
#include "hand/tools/mouse/call-mouse.h"

/* Windows are listed topmost first. */
static const HfWindow *find_top_window_at(const GPtrArray *windows, HfPoint point)
{
    for (guint i = 0; i < windows->len; i++) {
        const HfWindow *window = windows->pdata[i];
        if (window->visible && hf_rect_contains(window->frame, point))
            return window;
    }
    return NULL;
}

static int display_at(const HfScreen *screen, HfPoint point)
{
    for (guint i = 0; i < screen->monitors->len; i++)
        if (hf_rect_contains(g_array_index(screen->monitors, HfMonitor, i).area, point))
            return (int)i;
    return 0;
}

static HfResult *run(HfCall *call, GError **error)
{
    const HfCallContext *context = hf_call_context(call);
    HfDesktop *desktop = hf_call_desktop(call);
    HfPointerState state;
    if (!hf_pointer_get(context, &state, error))
        return NULL;
    g_autoptr(HfScreen) screen = hf_screen_get(desktop, error);
    if (!screen)
        return NULL;
    g_autoptr(GPtrArray) windows = hf_windows_list(desktop, error);
    if (!windows)
        return NULL;
    json_t *json = hf_json_point(state.point);
    json_object_set_new(json, "display", json_integer(display_at(screen, state.point)));
    const HfWindow *window = find_top_window_at(windows, state.point);
    if (window) {
        json_object_set_new(json, "window_id", json_integer(window->id));
        json_object_set_new(json, "window_title", hf_json_text(window->title));
    }
    return hf_result_new(json);
}

static const HfParam params[] = {{0}};

static const HfParam result[] = {
    {.name = "x", .type = HF_TYPE_INTEGER, .required = TRUE, .about = "Physical pixels"},
    {.name = "y", .type = HF_TYPE_INTEGER, .required = TRUE, .about = "Physical pixels"},
    {.name = "display",
     .type = HF_TYPE_INTEGER,
     .required = TRUE,
     .about = "Number of the display, as in system_info"},
    {.name = "window_id",
     .type = HF_TYPE_INTEGER,
     .about = "The topmost window there; absent over the bare desktop"},
    {.name = "window_title", .type = HF_TYPE_STRING, .about = "Its title"},
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
