/* SPDX-License-Identifier: Apache-2.0 */
/* key_down: presses keys and keeps them down. The journal lists them, so the next hand releases
 * them after a crash. */
#include "hand/tools/keyboard/call-keys.h"

static HfResult *run(HfCall *call, GError **error)
{
    g_autoptr(GArray) keysyms = hf_call_dup_keys_down(call, error);
    if (!keysyms ||
        !hf_keyboard_hold_all(hf_call_context(call), keysyms, hf_call_deadline(call), error))
        return NULL;
    return hf_keys_result_new(keysyms);
}

static const HfParam params[] = {
    HF_PARAM_KEYS("Keys to press, in this order: [\"shift\"]"),
    {0},
};

const HfTool hf_tool_key_down = {
    .name = "key_down",
    .title = "Hold keys down",
    .summary =
        "Press keys and keep them down until key_up, for instance a modifier while clicking. A key "
        "that is already held stays held. They are released when the desktop is closed.",
    .category = HF_CATEGORY_KEYBOARD,
    .risk = HF_RISK_MEDIUM,
    .level = HF_LEVEL_STANDARD,
    .needs = HF_NEEDS_INPUT,
    .channel = HF_CHANNEL_PIXELS,
    .reads = HF_READS_NOTHING,
    .effects = HF_EFFECT_NONE,
    .target = HF_TARGET_FOCUS,
    .flags = HF_TOOL_IDEMPOTENT,
    .pace = HF_PACE_FREE,
    .verifies = HF_VERIFY_EFFECT,
    .timeout_ms = HF_KEYBOARD_TIMEOUT_MS,
    .params = params,
    .result = hf_keys_result,
    .run = run,
};
