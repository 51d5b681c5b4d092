/* SPDX-License-Identifier: Apache-2.0 */
/* key_press: keys down together and up again, as often as asked. */
#include "hand/tools/keyboard/call-keys.h"

static HfResult *run(HfCall *call, GError **error)
{
    g_autoptr(GArray) keysyms = hf_call_dup_keys_down(call, error);
    if (!keysyms)
        return NULL;
    HfChord chord = {keysyms, (guint)hf_call_int(call, "repeat"), 0};
    if (!hf_keyboard_chord(hf_call_context(call), &chord, hf_call_deadline(call), error))
        return NULL;
    return hf_result_new(
        json_pack("{s:b, s:o}", "success", TRUE, "keys", hf_keys_to_json(keysyms)));
}

static const HfParam params[] = {
    HF_PARAM_KEYS("Keys that go down together, in this order: [\"ctrl\", \"c\"], [\"enter\"]"),
    {.name = "repeat",
     .type = HF_TYPE_INTEGER,
     .min = 1,
     .max = 100,
     .fallback = "1",
     .about = "How many times"},
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
    .run = run,
};
