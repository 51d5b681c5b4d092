/* SPDX-License-Identifier: Apache-2.0 */
/* mouse_move: moves the pointer, and checks that it arrived. */
#include "hand/tools/call-undo.h"
#include "hand/tools/mouse/call-mouse.h"

static HfResult *run(HfCall *call, GError **error)
{
    HfPoint point, at;
    HfMovement movement;
    if (!hf_call_get_point_named(call, &hf_point_names, &point, error) ||
        !hf_mouse_get_movement(call, &movement, error))
        return NULL;
    if (hf_call_bool(call, "smooth"))
        movement.duration_us = (gint64)(hf_call_number(call, "duration") * 1000);
    if (!hf_pointer_move(hf_call_context(call), point, &movement, &at, hf_call_deadline(call),
                         error))
        return NULL;
    hf_call_refuse_undo(call, HF_UNDO_NOTHING);
    return hf_mouse_result_new(call, at);
}

static const HfParam params[] = {
    HF_PARAM_POINT,
    HF_OPTIONAL("smooth", HF_TYPE_BOOLEAN, "Move over the points in between; false: jump",
                .fallback = "true"),
    HF_PARAM_DURATION("100"),
    HF_PARAM_HUMANIZE,
    {0},
};

const HfTool hf_tool_mouse_move = {
    .name = "mouse_move",
    .title = "Move the pointer",
    .summary = "Move the mouse pointer to x, y or an element without clicking, to hover or to "
               "prepare a click "
               "(the clicking tools move by themselves). Returns where the pointer is.",
    .category = HF_CATEGORY_MOUSE,
    .risk = HF_RISK_MEDIUM,
    .level = HF_LEVEL_STANDARD,
    .needs = HF_NEEDS_INPUT,
    .channel = HF_CHANNEL_PIXELS,
    .reads = HF_READS_NOTHING,
    .effects = HF_EFFECT_NONE,
    .target = HF_TARGET_POINT,
    .flags = HF_TOOL_IDEMPOTENT,
    .pace = HF_PACE_FREE,
    .verifies = HF_VERIFY_OWN,
    .timeout_ms = HF_MOUSE_TIMEOUT_MS,
    .params = params,
    .result = hf_mouse_result,
    .run = run,
};
