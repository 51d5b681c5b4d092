/* SPDX-License-Identifier: Apache-2.0 */
/* left_click: presses and releases the primary button. */
#include "hand/tools/mouse/call-mouse.h"

static HfResult *run(HfCall *call, GError **error)
{
    return hf_mouse_click(call, HF_BUTTON_LEFT, 1, error);
}

const HfTool hf_tool_left_click = {
    .name = "left_click",
    .title = "Left click",
    .summary = "Click the primary (left) mouse button at x, y, on an element, or where the pointer "
               "is. Checks the pointer's position before pressing. Returns where it was clicked.",
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
