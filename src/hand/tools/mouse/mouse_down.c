/* SPDX-License-Identifier: Apache-2.0 */
/* mouse_down: presses a button and keeps it down. The journal lists it, so the next hand releases
 * it after a crash. */
#include "hand/tools/mouse/call-mouse.h"

static HfResult *run(HfCall *call, GError **error)
{
    HfPoint point, at;
    if (!hf_call_get_point(call, &point, error) ||
        !hf_pointer_press(hf_call_context(call), point, hf_mouse_button(call), &at,
                          hf_call_deadline(call), error))
        return NULL;
    return hf_mouse_result_new(call, at);
}

static const HfParam params[] = {HF_PARAM_POINT, HF_PARAM_BUTTON, {0}};

const HfTool hf_tool_mouse_down = {
    .name = "mouse_down",
    .title = "Press a mouse button",
    .summary = "Press a mouse button at x, y, or where the pointer is, and keep it down until "
               "mouse_up. Fails if it is down already. For a plain drag use mouse_drag.",
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
    .params = params,
    .result = hf_mouse_result,
    .run = run,
};
