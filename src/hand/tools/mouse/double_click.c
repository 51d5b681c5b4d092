/* SPDX-License-Identifier: Apache-2.0 */
/* double_click: two clicks of the primary button, close enough to count as one. */
#include "hand/tools/mouse/call-mouse.h"

static HfResult *run(HfCall *call, GError **error)
{
    return hf_mouse_click(call, HF_BUTTON_LEFT, 2, error);
}

const HfTool hf_tool_double_click = {
    .name = "double_click",
    .title = "Double click",
    .summary = "Double-click the primary (left) mouse button at x, y, or where the pointer "
               "is: opens a file or selects a word. Returns where it was clicked.",
    .category = HF_CATEGORY_MOUSE,
    .risk = HF_RISK_MEDIUM,
    .level = HF_LEVEL_STANDARD,
    .needs = HF_NEEDS_INPUT,
    .channel = HF_CHANNEL_PIXELS,
    .reads = HF_READS_NOTHING,
    .effects = HF_EFFECT_NONE,
    .target = HF_TARGET_POINT,
    .pace = HF_PACE_FREE,
    .verifies = HF_VERIFY_EFFECT,
    .timeout_ms = HF_MOUSE_TIMEOUT_MS,
    .params = hf_mouse_click_params,
    .result = hf_mouse_result,
    .run = run,
};
