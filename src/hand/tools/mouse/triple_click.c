/* SPDX-License-Identifier: Apache-2.0 */
/* triple_click: three clicks of the primary button, close enough to count as one. */
#include "hand/tools/mouse/call-mouse.h"

static HfResult *run(HfCall *call, GError **error)
{
    return hf_mouse_click(call, HF_BUTTON_LEFT, 3, error);
}

const HfTool hf_tool_triple_click = {
    .name = "triple_click",
    .title = "Triple click",
    .summary = "Triple-click the primary (left) mouse button at x, y, or where the pointer "
               "is: selects a line or paragraph of text. Returns where it was clicked.",
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
