/* SPDX-License-Identifier: Apache-2.0 */
/* What the keyboard tools share: how keys are named in a call, and told back. */
#pragma once

#include "hand/desktop/keyboard.h"
#include "shared/base/limits.h"
#include "shared/tool/call.h"

#define HF_KEYBOARD_TIMEOUT_MS 10000

#define HF_PARAM_KEYS(text)                                                                        \
    {                                                                                              \
        .name = "keys", .type = HF_TYPE_ARRAY, .required = TRUE, .min = 1, .max = HF_LIMIT_KEYS,   \
        .items = &hf_key_name, .also = &hf_keys_text, .means = HF_MEANS_KEYS, .about = text        \
    }
extern const HfParam hf_key_name, hf_keys_text;

/* Members of a result: success, keys. */
#define HF_RESULT_KEYS                                                                             \
    {.name = "success", .type = HF_TYPE_BOOLEAN, .required = TRUE, .about = "Always true"},        \
    {                                                                                              \
        .name = "keys", .type = HF_TYPE_ARRAY, .required = TRUE, .items = &hf_keysym_name,         \
        .about = "The keys, by their X names, in the order in which they went down"                \
    }
extern const HfParam hf_keysym_name, hf_keys_result[];

/* The parameter `keys`, as an array of names or one text such as "ctrl+c". */
GArray *hf_call_dup_keys(const HfCall *call, GError **error);
/* The same for keys that go down: see hf_call_may_write. */
GArray *hf_call_dup_keys_down(const HfCall *call, GError **error);
/* DESKTOP_CONFIRM_REQUIRED when a password field has the keyboard and the owner has not agreed: the
 * guard asks, and the call comes again. */
gboolean hf_call_may_write(const HfCall *call, GError **error);
json_t *hf_keys_to_json(const GArray *keysyms);
