/* SPDX-License-Identifier: Apache-2.0 */
/* highlight: draws a frame around an element or a region for a moment, to show it to a person. The
 * frame takes no input, and disappears with the hand if that dies. */
#include "hand/desktop/screen.h"
#include "hand/tools/call-undo.h"
#include "hand/tools/resolve.h"
#include "hand/tools/tools-limits.h"
#include "hand/tools/windows/window-report.h"
#include "shared/base/error.h"
#include "shared/base/json.h"

static gboolean get_highlight_area(HfCall *call, HfRect *ret_area, GError **error)
{
    g_auto(HfResolvedElement) located = {0};
    guint32 window;
    if (hf_call_has(call, "target") == hf_call_has(call, "region"))
        return hf_fail(error, HF_ERROR_INVALID_PARAMS,
                       "no place given: give either target or region");
    if (hf_call_has(call, "region"))
        return hf_call_get_area(call, "region", ret_area, &window, error);
    return hf_call_locate(call, "target", "element", &located, error) &&
           hf_resolved_element_get_area(&located, ret_area, error);
}

static HfResult *run(HfCall *call, GError **error)
{
    HfRect area;
    HfSize screen;
    guint duration = (guint)hf_call_int(call, "duration");
    if (!get_highlight_area(call, &area, error) ||
        !hf_screen_get_size(hf_call_desktop(call), &screen, error))
        return NULL;
    HfRect seen = hf_rect_intersect(area, (HfRect){0, 0, screen.width, screen.height});
    if (hf_rect_is_empty(seen)) {
        hf_fail(error, HF_ERROR_INVALID_PARAMS, "region: lies outside of the screen");
        return NULL;
    }
    if (!hf_screen_highlight(hf_call_desktop(call), seen, duration, error))
        return NULL;
    hf_call_refuse_undo(call, HF_UNDO_NOTHING); /* it disappears by itself */
    json_t *json = json_pack("{s:o, s:i}", "bounds", hf_json_rect(seen), "duration", (int)duration);
    hf_call_add_found(call, json);
    return hf_result_new(json);
}

static const HfParam params[] = {
    HF_PARAM_TARGET(
        "target",
        "The element to show: a reference (e12), a selector (button \"Save\"), or its text"),
    HF_PARAM_AREA("region", "Instead of target: [left, top, right, bottom], or {x, y, width, "
                            "height}"),
    HF_PARAM_SPACE,
    HF_OPTIONAL("duration", HF_TYPE_INTEGER, "How long, in milliseconds", .min = 100,
                .max = HF_LIMIT_HIGHLIGHT_MS, .fallback = "1500"),
    {0},
};

static const HfParam result[] = {
    HF_REQUIRED("bounds", HF_TYPE_OBJECT, "The framed area", .fields = hf_rect_fields),
    HF_REQUIRED("duration", HF_TYPE_INTEGER, "Milliseconds"),
    HF_RESULT_ELEMENT("element"),
    {0},
};

const HfTool hf_tool_highlight = {
    .name = "highlight",
    .title = "Show where something is",
    .summary = "Draw a frame around an element or a region for a moment, to show it to the person "
               "at the screen. It changes nothing and takes no input",
    .category = HF_CATEGORY_STRUCTURE,
    .risk = HF_RISK_LOW,
    .level = HF_LEVEL_READ_ONLY,
    .needs = HF_NEEDS_NEITHER,
    .channel = HF_CHANNEL_STRUCTURE,
    .reads = HF_READS_NOTHING,
    .effects = HF_EFFECT_NONE,
    .target = HF_TARGET_NOTHING,
    .flags = HF_TOOL_IDEMPOTENT,
    .pace = HF_PACE_FREE,
    .verifies = HF_VERIFY_NOTHING,
    .timeout_ms = 40000,
    .params = params,
    .result = result,
    .run = run,
};
