/* SPDX-License-Identifier: Apache-2.0 */
/* middle_click: presses and releases the middle button. */
#include "hand/tools/mouse/call-mouse.h"

static HfResult *run(HfCall *call, GError **error)
{
    return hf_mouse_click(call, HF_BUTTON_MIDDLE, 1, error);
}

const HfTool hf_tool_middle_click = {
    .name = "middle_click",
    .title = "Middle click",
    .summary = "Click the middle mouse button at x, y, or where the pointer is: opens a "
               "link in a new tab, or pastes the selection. Returns where it was clicked.",
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
