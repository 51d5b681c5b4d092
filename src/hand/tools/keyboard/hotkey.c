/* SPDX-License-Identifier: Apache-2.0 */
/* hotkey: a combination that acts on the whole desktop. It is pressed like any other; what sets it
 * apart is its risk and that the caller has to say why. */
#include "hand/tools/keyboard/call-keys.h"

static HfResult *run(HfCall *call, GError **error)
{
    g_autoptr(GArray) keysyms = hf_call_dup_keys_down(call, error);
    HfChord chord = {keysyms, 1, 0};
    if (!keysyms ||
        !hf_keyboard_chord(hf_call_context(call), &chord, hf_call_deadline(call), error))
        return NULL;
    return hf_result_new(
        json_pack("{s:b, s:o}", "success", TRUE, "keys", hf_keys_to_json(keysyms)));
}

static const HfParam params[] = {
    HF_PARAM_KEYS("Keys that go down together: [\"alt\", \"tab\"], [\"super\", \"d\"]"),
    {.name = "reason",
     .type = HF_TYPE_STRING,
     .means = HF_MEANS_PLAIN,
     .required = TRUE,
     .min = 1,
     .max = 1000,
     .about = "Why, for whoever approves or audits it"},
    {0},
};

const HfTool hf_tool_hotkey = {
    .name = "hotkey",
    .title = "Press a system hotkey",
    .summary = "Press a combination that acts on the whole desktop (switch windows, open a "
               "launcher, lock). For keys in a program use key_press.",
    .category = HF_CATEGORY_KEYBOARD,
    .risk = HF_RISK_HIGH,
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
    .run = run,
};
