/* SPDX-License-Identifier: Apache-2.0 */
/* hold_key: keys down for a while, then up again, however the call ends. */
#include "hand/tools/keyboard/call-keys.h"
#include "shared/base/limits.h"

static HfResult *run(HfCall *call, GError **error)
{
    double seconds = hf_call_number(call, "duration");
    g_autoptr(GArray) keysyms = hf_call_dup_keys_down(call, error);
    HfChord chord = {keysyms, 1, (gint64)(seconds * G_USEC_PER_SEC)};
    if (!keysyms ||
        !hf_keyboard_chord(hf_call_context(call), &chord, hf_call_deadline(call), error))
        return NULL;
    return hf_result_new(json_pack("{s:b, s:o, s:f}", "success", TRUE, "keys",
                                   hf_keys_to_json(keysyms), "duration", seconds));
}

static const HfParam params[] = {
    HF_PARAM_KEYS("Keys that go down together, in this order: [\"right\"]"),
    {.name = "duration",
     .type = HF_TYPE_NUMBER,
     .required = TRUE,
     .min = 0,
     .max = HF_LIMIT_WAIT_SECONDS,
     .about = "Seconds to keep them down"},
    {0},
};

static const HfParam result[] = {
    HF_RESULT_KEYS,
    {.name = "duration",
     .type = HF_TYPE_NUMBER,
     .required = TRUE,
     .about = "The seconds that they were down"},
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
    .run = run,
};
