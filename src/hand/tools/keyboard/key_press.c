/* SPDX-License-Identifier: Apache-2.0 */
/* key_press: presses keys together and releases them, once or several times. */
#include "hand/tools/keyboard/call-keys.h"

static const HfParam params[] = {
    HF_PARAM_KEYS("Keys to press together, in this order: [\"ctrl\", \"c\"], [\"enter\"]"),
    HF_OPTIONAL("repeat", HF_TYPE_INTEGER, "How many times", .min = 1, .max = 100, .fallback = "1"),
    {0},
};

const HfTool hf_tool_key_press = {
    .name = "key_press",
    .title = "Press keys",
    .summary = "Press a key or a combination such as ctrl+c in the focused window and release it. "
               "For text use type_text.",
    .category = HF_CATEGORY_KEYBOARD,
    .risk = HF_RISK_MEDIUM,
    .level = HF_LEVEL_STANDARD,
    .needs = HF_NEEDS_INPUT,
    .channel = HF_CHANNEL_PIXELS,
    .reads = HF_READS_NOTHING,
    .effects = HF_EFFECT_NONE,
    .target = HF_TARGET_FOCUS,
    .pace = HF_PACE_FREE,
    .verifies = HF_VERIFY_EFFECT,
    .timeout_ms = HF_KEYBOARD_TIMEOUT_MS,
    .params = params,
    .result = hf_keys_result,
    .run = hf_keys_press_chord,
};
