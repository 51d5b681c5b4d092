/* SPDX-License-Identifier: Apache-2.0 */
/* hold_key: holds keys down for some seconds. They are released however the call ends. */
#include "hand/tools/keyboard/call-keys.h"
#include "shared/base/limits.h"

static const HfParam params[] = {
    HF_PARAM_KEYS("Keys to press together, in this order: [\"right\"]"),
    HF_REQUIRED("duration", HF_TYPE_NUMBER, "Seconds to keep them down", .min = 0,
                .max = HF_LIMIT_WAIT_SECONDS),
    {0},
};

static const HfParam result[] = {
    HF_RESULT_KEYS,
    HF_REQUIRED("duration", HF_TYPE_NUMBER, "How many seconds they were held"),
    {0},
};

const HfTool hf_tool_hold_key = {
    .name = "hold_key",
    .title = "Hold keys for a while",
    .summary =
        "Press keys, keep them down for some seconds, and release them. The program sees them "
        "repeat, as when a person holds a key.",
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
    .timeout_ms = (HF_LIMIT_WAIT_SECONDS + 30) * 1000,
    .params = params,
    .result = result,
    .run = hf_keys_press_chord,
};
