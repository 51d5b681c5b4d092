/* SPDX-License-Identifier: Apache-2.0 */
/* mouse_up: releases a button that mouse_down pressed. */
#include "hand/tools/mouse/call-mouse.h"

static HfResult *run(HfCall *call, GError **error)
{
    HfPoint point, at;
    if (!hf_call_get_point(call, &point, error) ||
        !hf_pointer_release(hf_call_context(call), point, hf_mouse_button(call), &at,
                            hf_call_deadline(call), error))
        return NULL;
    return hf_mouse_result_new(call, at);
}

static const HfParam params[] = {HF_PARAM_POINT, HF_PARAM_BUTTON, {0}};

const HfTool hf_tool_mouse_up = {
    .name = "mouse_up",
    .title = "Release a mouse button",
    .summary = "Release a mouse button that mouse_down pressed, at x, y, on an element, or where "
               "the pointer is. "
               "Fails if it is not down.",
    .category = HF_CATEGORY_MOUSE,
    .risk = HF_RISK_MEDIUM,
    .level = HF_LEVEL_STANDARD,
    .needs = HF_NEEDS_INPUT,
    .channel = HF_CHANNEL_PIXELS,
    .reads = HF_READS_NOTHING,
    .effects = HF_EFFECT_NONE,
    .target = HF_TARGET_POINT,
    .flags = HF_TOOL_RELEASES,
    .pace = HF_PACE_FREE,
    .verifies = HF_VERIFY_EFFECT,
    .timeout_ms = HF_MOUSE_TIMEOUT_MS,
    .params = params,
    .result = hf_mouse_result,
    .run = run,
};
