/* Keys in calls and results. */
#include "tools/keyboard/keyboard.h"

#include <xkbcommon/xkbcommon.h>

const HfParam hf_key_name = {
    .name = "key",
    .type = HF_TYPE_STRING,
    .min = 1,
    .max = HF_LIMIT_NAME_BYTES,
    .about = "ctrl, shift, alt, super (cmd, win), enter, esc, tab, space, backspace, delete, left, "
             "page_up, f1..f24, ..., or one character",
};
const HfParam hf_keys_text = {
    .name = "keys",
    .type = HF_TYPE_STRING,
    .min = 1,
    .max = HF_LIMIT_NAME_BYTES * HF_LIMIT_KEYS,
    .about = "The same in one text: \"ctrl+shift+t\"",
};
const HfParam hf_keysym_name = {.name = "key", .type = HF_TYPE_STRING, .about = "X keysym name"};
const HfParam hf_keys_result[] = {HF_RESULT_KEYS, {0}};

GArray *hf_call_dup_keys(const HfCall *call, GError **error)
{
    const char *text = hf_call_string(call, "keys");
    const char *single[] = {text, NULL};
    g_auto(GStrv) names = hf_call_dup_strings(call, "keys");
    return hf_keys_parse(text ? single : (const char *const *)names, error);
}

json_t *hf_keys_to_json(const GArray *keysyms)
{
    json_t *names = json_array();
    for (guint i = 0; i < keysyms->len; i++) {
        char name[64] = "";
        xkb_keysym_get_name(g_array_index(keysyms, guint32, i), name, sizeof name);
        json_array_append_new(names, json_string(name));
    }
    return names;
}
