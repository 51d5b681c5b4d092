/* SPDX-License-Identifier: Apache-2.0 */
/* Names of keys. The table is data/keys.json; other names are looked up among the X keysym names,
 * so everything that xdotool understands works. A single character names the key that produces it.
 * Keys that act on the X server itself are always refused. */
#include "shared/text/key-names.h"

#include <string.h>

#include <xkbcommon/xkbcommon.h>

#include "shared/base/data.h"
#include "shared/base/error.h"
#include "shared/base/json.h"
#include "shared/base/limits.h"

static gpointer load_names(gpointer unused)
{
    json_t *names = json_loads(hf_data_find("keys.json"), 0, NULL);
    g_assert(names);
    return names;
}

static const json_t *key_names(void)
{
    static GOnce once = G_ONCE_INIT;
    return g_once(&once, load_names, NULL);
}

/* Keys that switch consoles, end the server or break grabs. */
static gboolean acts_on_server(guint32 keysym)
{
    return (keysym >= XKB_KEY_XF86Switch_VT_1 && keysym <= XKB_KEY_XF86Switch_VT_12) ||
           keysym == XKB_KEY_Terminate_Server || keysym == XKB_KEY_XF86Ungrab ||
           keysym == XKB_KEY_XF86ClearGrab || keysym == XKB_KEY_XF86Next_VMode ||
           keysym == XKB_KEY_XF86Prev_VMode;
}

static gboolean contains_range(const GArray *keysyms, guint32 first, guint32 last)
{
    for (guint i = 0; i < keysyms->len; i++) {
        guint32 keysym = g_array_index(keysyms, guint32, i);
        if (keysym >= first && keysym <= last)
            return TRUE;
    }
    return FALSE;
}

static gboolean fail_forbidden(GError **error, const char *what)
{
    return hf_fail(error, HF_ERROR_DANGEROUS_ACTION_BLOCKED,
                   "%s is never pressed: it is reserved for the owner of the desktop", what);
}

gboolean hf_keys_check(const GArray *keysyms, GError **error)
{
    gboolean control = contains_range(keysyms, XKB_KEY_Control_L, XKB_KEY_Control_R);
    gboolean shift = contains_range(keysyms, XKB_KEY_Shift_L, XKB_KEY_Shift_R);
    gboolean alt = contains_range(keysyms, XKB_KEY_Meta_L, XKB_KEY_Alt_R);
    if (control && shift && contains_range(keysyms, XKB_KEY_Escape, XKB_KEY_Escape))
        return fail_forbidden(error, "Ctrl+Shift+Escape, the stop chord,");
    if (control && alt && contains_range(keysyms, XKB_KEY_F1, XKB_KEY_F12))
        return fail_forbidden(error, "Ctrl+Alt with a function key");
    for (guint i = 0; i < keysyms->len; i++)
        if (acts_on_server(g_array_index(keysyms, guint32, i)))
            return fail_forbidden(error, "A key that acts on the X server itself");
    return TRUE;
}

static guint32 find_by_name(const char *name)
{
    g_autofree char *lower = g_ascii_strdown(name, -1);
    for (char *letter = lower; *letter; letter++)
        if (*letter == ' ' || *letter == '-')
            *letter = '_';
    const char *keysym_name = hf_json_string(key_names(), lower, NULL);
    if (keysym_name)
        return xkb_keysym_from_name(keysym_name, XKB_KEYSYM_NO_FLAGS);
    guint32 keysym = xkb_keysym_from_name(name, XKB_KEYSYM_NO_FLAGS);
    return keysym ? keysym : xkb_keysym_from_name(name, XKB_KEYSYM_CASE_INSENSITIVE);
}

static guint32 find_by_character(gunichar character)
{
    switch (character) {
    case '\n':
    case '\r':
        return XKB_KEY_Return;
    case '\t':
        return XKB_KEY_Tab;
    case '\b':
        return XKB_KEY_BackSpace;
    case 0x1b:
        return XKB_KEY_Escape;
    default:
        return g_unichar_iscntrl(character) ? XKB_KEY_NoSymbol : xkb_utf32_to_keysym(character);
    }
}

gboolean hf_key_parse(const char *name, guint32 *ret_keysym, GError **error)
{
    if (!*name || !g_utf8_validate(name, -1, NULL))
        return hf_fail(error, HF_ERROR_INVALID_PARAMS,
                       "a key needs a name, such as 'enter' or 'a'");
    gboolean single = *g_utf8_next_char(name) == '\0';
    guint32 keysym = single ? find_by_character(g_utf8_get_char(name)) : find_by_name(name);
    if (keysym == XKB_KEY_NoSymbol)
        return hf_fail(
            error, HF_ERROR_INVALID_PARAMS,
            "no key is called '%.64s'; use names such as ctrl, shift, alt, super, enter, "
            "esc, tab, f5, page_up, or one character",
            name);
    *ret_keysym = keysym;
    return TRUE;
}

/* The next name in "ctrl+shift+t"; a '+' that begins a name is the plus key itself. */
static char *dup_next_name(const char **text)
{
    const char *end = strchr(*text + 1, '+');
    char *name = end ? g_strndup(*text, (gsize)(end - *text)) : g_strdup(*text);
    *text = end ? end + 1 : NULL;
    return name;
}

static gboolean append_names(GArray *keysyms, const char *text, GError **error)
{
    while (text) {
        if (!*text)
            return hf_fail(error, HF_ERROR_INVALID_PARAMS,
                           "a key name is missing; the plus key itself is called 'plus'");
        guint32 keysym;
        g_autofree char *name = dup_next_name(&text);
        if (!hf_key_parse(name, &keysym, error))
            return FALSE;
        if (keysyms->len >= HF_LIMIT_KEYS)
            return hf_fail(error, HF_ERROR_LIMIT_EXCEEDED, "more than %u keys at once",
                           HF_LIMIT_KEYS);
        for (guint i = 0; i < keysyms->len; i++)
            if (g_array_index(keysyms, guint32, i) == keysym)
                return hf_fail(error, HF_ERROR_INVALID_PARAMS,
                               "the key '%.64s' is given twice; they are all held together", name);
        g_array_append_val(keysyms, keysym);
    }
    return TRUE;
}

static gboolean is_command_modifier(guint32 keysym)
{
    switch (keysym) {
    case XKB_KEY_Control_L:
    case XKB_KEY_Control_R:
    case XKB_KEY_Alt_L:
    case XKB_KEY_Alt_R:
    case XKB_KEY_Meta_L:
    case XKB_KEY_Meta_R:
    case XKB_KEY_Super_L:
    case XKB_KEY_Super_R:
    case XKB_KEY_Hyper_L:
    case XKB_KEY_Hyper_R:
        return TRUE;
    default:
        return FALSE;
    }
}

/* "ctrl+C" means the key C; who means Shift names it. */
static void ignore_case_in_commands(GArray *keysyms)
{
    gboolean command = FALSE;
    for (guint i = 0; i < keysyms->len; i++)
        command |= is_command_modifier(g_array_index(keysyms, guint32, i));
    for (guint i = 0; command && i < keysyms->len; i++) {
        guint32 *keysym = &g_array_index(keysyms, guint32, i);
        *keysym = xkb_keysym_to_lower(*keysym);
    }
}

guint32 hf_key_fold(guint32 keysym)
{
    switch (keysym) {
    case XKB_KEY_Shift_R:
        return XKB_KEY_Shift_L;
    case XKB_KEY_Control_R:
        return XKB_KEY_Control_L;
    case XKB_KEY_Meta_L:
    case XKB_KEY_Meta_R:
    case XKB_KEY_Alt_R:
        return XKB_KEY_Alt_L;
    case XKB_KEY_Super_R:
    case XKB_KEY_Hyper_L:
    case XKB_KEY_Hyper_R:
        return XKB_KEY_Super_L;
    case XKB_KEY_KP_Delete:
        return XKB_KEY_Delete;
    case XKB_KEY_KP_Enter:
    case XKB_KEY_ISO_Enter:
    case XKB_KEY_Linefeed:
        return XKB_KEY_Return;
    case XKB_KEY_KP_F1:
    case XKB_KEY_KP_F2:
    case XKB_KEY_KP_F3:
    case XKB_KEY_KP_F4:
        return keysym - XKB_KEY_KP_F1 + XKB_KEY_F1;
    default:
        return xkb_keysym_to_lower(keysym);
    }
}

gboolean hf_keys_include(const GArray *keysyms, const GArray *chord)
{
    gboolean all = TRUE;
    for (guint i = 0; all && i < chord->len; i++) {
        guint32 wanted = hf_key_fold(g_array_index(chord, guint32, i));
        gboolean found = FALSE;
        for (guint j = 0; !found && j < keysyms->len; j++)
            found = hf_key_fold(g_array_index(keysyms, guint32, j)) == wanted;
        all = found;
    }
    return all;
}

GArray *hf_keys_parse_any(const char *const *names, GError **error)
{
    g_autoptr(GArray) keysyms = g_array_new(FALSE, FALSE, sizeof(guint32));
    for (const char *const *name = names; *name; name++)
        if (!append_names(keysyms, *name, error))
            return NULL;
    if (keysyms->len == 0) {
        hf_fail(error, HF_ERROR_INVALID_PARAMS, "no key is given");
        return NULL;
    }
    ignore_case_in_commands(keysyms);
    return g_steal_pointer(&keysyms);
}

GArray *hf_keys_parse(const char *const *names, GError **error)
{
    g_autoptr(GArray) keysyms = hf_keys_parse_any(names, error);
    return keysyms && hf_keys_check(keysyms, error) ? g_steal_pointer(&keysyms) : NULL;
}
