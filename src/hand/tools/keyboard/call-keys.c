/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the keys of a call, and presses chords. Keys that write text never reach a password field
 * without the owner's consent. */
#include "hand/tools/keyboard/call-keys.h"

#include <xkbcommon/xkbcommon.h>

#include "hand/atspi/read/password-fields.h"
#include "shared/base/error.h"
#include "shared/base/limits.h"

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
const HfParam hf_keysym_name = HF_STRING("key", "X keysym name");
const HfParam hf_keys_result[] = {HF_RESULT_KEYS, {0}};

GArray *hf_call_dup_keys(const HfCall *call, GError **error)
{
    const char *text = hf_call_string(call, "keys");
    const char *single[] = {text, NULL};
    g_auto(GStrv) names = hf_call_dup_strings(call, "keys");
    return hf_keys_parse(text ? single : (const char *const *)names, error);
}

gboolean hf_call_check_password_focus(const HfCall *call, GError **error)
{
    if (hf_call_is_approved(call) ||
        !hf_password_fields_have_focus(hf_call_desktop(call), hf_call_deadline(call)))
        return TRUE;
    hf_fail(error, HF_ERROR_DESKTOP_CONFIRM_REQUIRED,
            "a password field has the focus: only the owner may type there, or allow it; nothing "
            "was typed");
    hf_error_suggest(error, "ask the owner to type it");
    hf_error_take_details(error, json_pack("{s:b, s:b}", "secure", TRUE, "ask_owner", TRUE));
    return FALSE;
}

static gboolean has_key(const GArray *keysyms, guint32 left, guint32 right)
{
    for (guint i = 0; i < keysyms->len; i++)
        if (g_array_index(keysyms, guint32, i) == left ||
            g_array_index(keysyms, guint32, i) == right)
            return TRUE;
    return FALSE;
}

static gboolean has_character(const GArray *keysyms)
{
    for (guint i = 0; i < keysyms->len; i++) {
        guint32 character = xkb_keysym_to_utf32(g_array_index(keysyms, guint32, i));
        if (character >= ' ' && character != 0x7f)
            return TRUE;
    }
    return FALSE;
}

/* Characters and the keys that paste do. Enter and tab do not. */
static gboolean keys_write_text(const GArray *keysyms)
{
    if (has_key(keysyms, XKB_KEY_Control_L, XKB_KEY_Control_R))
        return has_key(keysyms, XKB_KEY_v, XKB_KEY_V);
    if (has_key(keysyms, XKB_KEY_Alt_L, XKB_KEY_Alt_R) ||
        has_key(keysyms, XKB_KEY_Super_L, XKB_KEY_Super_R))
        return FALSE;
    return has_character(keysyms) || has_key(keysyms, XKB_KEY_Insert, XKB_KEY_KP_Insert);
}

GArray *hf_call_dup_keys_down(const HfCall *call, GError **error)
{
    g_autoptr(GArray) keysyms = hf_call_dup_keys(call, error);
    if (!keysyms || (keys_write_text(keysyms) && !hf_call_check_password_focus(call, error)))
        return NULL;
    return g_steal_pointer(&keysyms);
}

HfResult *hf_keys_result_new(const GArray *keysyms)
{
    json_t *names = json_array();
    for (guint i = 0; i < keysyms->len; i++) {
        char name[64] = "";
        xkb_keysym_get_name(g_array_index(keysyms, guint32, i), name, sizeof name);
        json_array_append_new(names, json_string(name));
    }
    return hf_result_new(json_pack("{s:b, s:o}", "success", TRUE, "keys", names));
}

HfResult *hf_keys_press_chord(HfCall *call, GError **error)
{
    double seconds = hf_call_number(call, "duration");
    g_autoptr(GArray) keysyms = hf_call_dup_keys_down(call, error);
    HfChord chord = {keysyms, MAX(1, (guint)hf_call_int(call, "repeat")),
                     (gint64)(seconds * G_USEC_PER_SEC)};
    if (!keysyms ||
        !hf_keyboard_chord(hf_call_context(call), &chord, hf_call_deadline(call), error))
        return NULL;
    HfResult *result = hf_keys_result_new(keysyms);
    if (hf_call_has(call, "duration"))
        json_object_set_new(result->json, "duration", json_real(seconds));
    return result;
}
