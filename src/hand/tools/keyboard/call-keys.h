/* SPDX-License-Identifier: Apache-2.0 */
/* What the keyboard tools share: the parameter `keys`, the result, and the check for password
 * fields. */
#pragma once

#include "hand/desktop/keyboard.h"
#include "shared/base/limits.h"
#include "shared/tool/call.h"

#define HF_KEYBOARD_TIMEOUT_MS 10000

#define HF_PARAM_KEYS(text)                                                                        \
    HF_REQUIRED("keys", HF_TYPE_ARRAY, text, .min = 1, .max = HF_LIMIT_KEYS,                       \
                .items = &hf_key_name, .also = &hf_keys_text, .means = HF_MEANS_KEYS)
extern const HfParam hf_key_name, hf_keys_text;

/* Members of a result: success, keys. */
#define HF_RESULT_KEYS                                                                             \
    HF_RESULT_SUCCESS,                                                                             \
        HF_REQUIRED("keys", HF_TYPE_ARRAY,                                                         \
                    "The X names of the keys, in the order in which they were pressed",            \
                    .items = &hf_keysym_name)
extern const HfParam hf_keysym_name, hf_keys_result[];

/* The keysyms of the parameter `keys`, an array of names or one text such as "ctrl+c". */
GArray *hf_call_dup_keys(const HfCall *call, GError **error);
/* The same for keys that go down. Fails like hf_call_check_password_focus if they write text. */
GArray *hf_call_dup_keys_down(const HfCall *call, GError **error);
/* DESKTOP_CONFIRM_REQUIRED when a password field has the focus and the owner has not agreed. The
 * guard then asks the owner and repeats the call. */
gboolean hf_call_check_password_focus(const HfCall *call, GError **error);

HfResult *hf_keys_result_new(const GArray *keysyms);
/* The handler of every tool that presses keys together and releases them: `repeat` times (else
 * once), and held for `duration` seconds (else not at all). */
HfResult *hf_keys_press_chord(HfCall *call, GError **error);
