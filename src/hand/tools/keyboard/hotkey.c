/* SPDX-License-Identifier: Apache-2.0 */
/* hotkey: presses a key combination that acts on the whole desktop. Its risk is higher than that of
 * key_press, and the caller must give a reason. */
#include "hand/tools/keyboard/call-keys.h"

static const HfParam params[] = {
    HF_PARAM_KEYS("Keys to press together: [\"alt\", \"tab\"], [\"super\", \"d\"]"),
    HF_REQUIRED("reason", HF_TYPE_STRING, "The reason, for whoever approves or audits it",
                .means = HF_MEANS_PLAIN, .min = 1, .max = 1000),
    {0},
};

const HfTool hf_tool_hotkey = {
    .name = "hotkey",
    .title = "Press a system hotkey",
    .summary = "Press a combination that acts on the whole desktop (switch windows, open a "
               "launcher, lock). For keys in a program use key_press.",
    .category = HF_CATEGORY_KEYBOARD,
    .risk = HF_RISK_HIGH,
    .risk_inside = HF_RISK_MEDIUM,
    .level = HF_LEVEL_ELEVATED,
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
