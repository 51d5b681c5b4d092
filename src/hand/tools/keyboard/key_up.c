/* SPDX-License-Identifier: Apache-2.0 */
/* key_up: releases keys that key_down holds. */
#include "hand/tools/keyboard/call-keys.h"

static HfResult *run(HfCall *call, GError **error)
{
    g_autoptr(GArray) keysyms = hf_call_dup_keys(call, error);
    if (!keysyms ||
        !hf_keyboard_drop_all(hf_call_context(call), keysyms, hf_call_deadline(call), error))
        return NULL;
    return hf_keys_result_new(keysyms);
}

static const HfParam params[] = {
    HF_PARAM_KEYS("Keys to release: [\"shift\"]"),
    {0},
};

const HfTool hf_tool_key_up = {
    .name = "key_up",
    .title = "Release keys",
    .summary = "Release keys that key_down holds. A key that is not held stays as it is.",
    .category = HF_CATEGORY_KEYBOARD,
    .risk = HF_RISK_MEDIUM,
    .level = HF_LEVEL_STANDARD,
    .needs = HF_NEEDS_INPUT,
    .channel = HF_CHANNEL_PIXELS,
    .reads = HF_READS_NOTHING,
    .effects = HF_EFFECT_NONE,
    .target = HF_TARGET_FOCUS,
    .flags = HF_TOOL_IDEMPOTENT | HF_TOOL_RELEASES,
    .pace = HF_PACE_FREE,
    .verifies = HF_VERIFY_EFFECT,
    .timeout_ms = HF_KEYBOARD_TIMEOUT_MS,
    .params = params,
    .result = hf_keys_result,
    .run = run,
};
