/* SPDX-License-Identifier: Apache-2.0 */
/* right_click: presses and releases the secondary button. */
#include "hand/tools/mouse/call-mouse.h"

static HfResult *run(HfCall *call, GError **error)
{
    return hf_mouse_click(call, HF_BUTTON_RIGHT, 1, error);
}

const HfTool hf_tool_right_click = {
    .name = "right_click",
    .title = "Right click",
    .summary = "Click the secondary (right) mouse button at x, y, or where the pointer is: "
               "opens a context menu in most programs. Returns where it was clicked.",
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
