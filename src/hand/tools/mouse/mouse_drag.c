/* SPDX-License-Identifier: Apache-2.0 */
/* mouse_drag: presses, moves in steps so that the program starts a drag, pauses on the target and
 * releases. The button is released whatever happens on the way. */
#include "hand/tools/mouse/call-mouse.h"

static HfResult *run(HfCall *call, GError **error)
{
    HfDrag drag = {.button = hf_mouse_button(call)};
    if (!hf_call_get_point_named(call, &hf_from_names, &drag.from, error) ||
        !hf_call_get_point_named(call, &hf_to_names, &drag.to, error) ||
        !hf_mouse_get_movement(call, &drag.movement, error))
        return NULL;
    g_autoptr(GArray) modifiers = hf_mouse_dup_modifiers(call, error);
    if (!modifiers)
        return NULL;
    drag.modifiers = modifiers;
    drag.movement.duration_us = (gint64)(hf_call_number(call, "duration") * 1000);
    HfPoint at;
    if (!hf_pointer_drag(hf_call_context(call), &drag, &at, hf_call_deadline(call), error))
        return NULL;
    return hf_mouse_result_new(call, at);
}

static const HfParam params[] = {
    HF_PARAM_TARGET("from", "Element to press on, instead of from_x and from_y"),
    HF_PARAM_TARGET("to", "Element to release on, instead of to_x and to_y"),
    HF_OPTIONAL("from_x", HF_TYPE_NUMBER, "Where to press: pixels from the left edge"),
    HF_OPTIONAL("from_y", HF_TYPE_NUMBER, "Where to press: pixels from the top edge"),
    HF_OPTIONAL("to_x", HF_TYPE_NUMBER, "Where to release: pixels from the left edge"),
    HF_OPTIONAL("to_y", HF_TYPE_NUMBER, "Where to release: pixels from the top edge"),
    HF_PARAM_SPACE,
    HF_PARAM_DURATION("500"),
    HF_PARAM_BUTTON,
    HF_PARAM_MODIFIERS,
    HF_PARAM_HUMANIZE,
    {0},
};

static const HfParam result[] = {
    HF_RESULT_POSITION,
    HF_RESULT_ELEMENT("from_element"),
    HF_RESULT_ELEMENT("to_element"),
    {0},
};

const HfTool hf_tool_mouse_drag = {
    .name = "mouse_drag",
    .title = "Drag with the mouse",
    .summary = "Press a mouse button at one point or element, move to another and release it "
               "there: drag and "
               "drop, select text, move a slider, draw. Returns where it was released.",
    .category = HF_CATEGORY_MOUSE,
    .risk = HF_RISK_MEDIUM,
    .level = HF_LEVEL_STANDARD,
    .needs = HF_NEEDS_INPUT,
    .channel = HF_CHANNEL_PIXELS,
    .reads = HF_READS_NOTHING,
    .effects = HF_EFFECT_NONE,
    .target = HF_TARGET_DRAG,
    .pace = HF_PACE_FREE,
    .verifies = HF_VERIFY_EFFECT,
    .timeout_ms = HF_MOUSE_TIMEOUT_MS,
    .params = params,
    .result = result,
    .run = run,
};
