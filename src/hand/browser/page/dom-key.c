/* SPDX-License-Identifier: Apache-2.0 */
/* By keysym, for a US keyboard, since pages expect its "code" and "keyCode". Other characters have
 * no key on it and arrive as text. */
#include "hand/browser/page/dom-key.h"

#include <string.h>
#include <xkbcommon/xkbcommon.h>

typedef struct Key {
    guint32 keysym;
    const char *key, *code;
    int number;
    const char *text; /* NULL: the key writes nothing */
    int location;
} Key;

static const Key keys[] = {
    {XKB_KEY_Return, "Enter", "Enter", 13, "\r"},
    {XKB_KEY_KP_Enter, "Enter", "NumpadEnter", 13, "\r", 3},
    {XKB_KEY_Tab, "Tab", "Tab", 9},
    {XKB_KEY_Escape, "Escape", "Escape", 27},
    {XKB_KEY_BackSpace, "Backspace", "Backspace", 8},
    {XKB_KEY_Delete, "Delete", "Delete", 46},
    {XKB_KEY_Insert, "Insert", "Insert", 45},
    {XKB_KEY_space, " ", "Space", 32, " "},
    {XKB_KEY_Left, "ArrowLeft", "ArrowLeft", 37},
    {XKB_KEY_Up, "ArrowUp", "ArrowUp", 38},
    {XKB_KEY_Right, "ArrowRight", "ArrowRight", 39},
    {XKB_KEY_Down, "ArrowDown", "ArrowDown", 40},
    {XKB_KEY_Home, "Home", "Home", 36},
    {XKB_KEY_End, "End", "End", 35},
    {XKB_KEY_Prior, "PageUp", "PageUp", 33},
    {XKB_KEY_Next, "PageDown", "PageDown", 34},
    {XKB_KEY_Caps_Lock, "CapsLock", "CapsLock", 20},
    {XKB_KEY_Menu, "ContextMenu", "ContextMenu", 93},
    {XKB_KEY_Pause, "Pause", "Pause", 19},
    {XKB_KEY_Control_L, "Control", "ControlLeft", 17, NULL, 1},
    {XKB_KEY_Control_R, "Control", "ControlRight", 17, NULL, 2},
    {XKB_KEY_Shift_L, "Shift", "ShiftLeft", 16, NULL, 1},
    {XKB_KEY_Shift_R, "Shift", "ShiftRight", 16, NULL, 2},
    {XKB_KEY_Alt_L, "Alt", "AltLeft", 18, NULL, 1},
    {XKB_KEY_Alt_R, "Alt", "AltRight", 18, NULL, 2},
    {XKB_KEY_Super_L, "Meta", "MetaLeft", 91, NULL, 1},
    {XKB_KEY_Super_R, "Meta", "MetaRight", 92, NULL, 2},
};

/* Characters and their keys; the second of a pair needs Shift. */
static const struct {
    const char *signs, *code;
    int number;
} places[] = {
    {"1!", "Digit1", 49},       {"2@", "Digit2", 50},        {"3#", "Digit3", 51},
    {"4$", "Digit4", 52},       {"5%", "Digit5", 53},        {"6^", "Digit6", 54},
    {"7&", "Digit7", 55},       {"8*", "Digit8", 56},        {"9(", "Digit9", 57},
    {"0)", "Digit0", 48},       {"-_", "Minus", 189},        {"=+", "Equal", 187},
    {"[{", "BracketLeft", 219}, {"]}", "BracketRight", 221}, {"\\|", "Backslash", 220},
    {";:", "Semicolon", 186},   {"'\"", "Quote", 222},       {",<", "Comma", 188},
    {".>", "Period", 190},      {"/?", "Slash", 191},        {"`~", "Backquote", 192},
};

int hf_dom_key_modifier(guint32 keysym)
{
    switch (keysym) {
    case XKB_KEY_Control_L:
    case XKB_KEY_Control_R:
        return HF_DOM_CTRL;
    case XKB_KEY_Shift_L:
    case XKB_KEY_Shift_R:
        return HF_DOM_SHIFT;
    case XKB_KEY_Alt_L:
    case XKB_KEY_Alt_R:
    case XKB_KEY_Meta_L:
    case XKB_KEY_Meta_R:
        return HF_DOM_ALT;
    case XKB_KEY_Super_L:
    case XKB_KEY_Super_R:
        return HF_DOM_META;
    default:
        return 0;
    }
}

static json_t *dom_key_event_new(const Key *key, gboolean down, int modifiers)
{
    gboolean writes = key->text && !(modifiers & (HF_DOM_CTRL | HF_DOM_META | HF_DOM_ALT));
    json_t *made = json_pack("{s:s, s:s, s:s, s:i, s:i, s:i}", "type",
                             !down    ? "keyUp"
                             : writes ? "keyDown"
                                      : "rawKeyDown",
                             "key", key->key, "code", key->code, "windowsVirtualKeyCode",
                             key->number, "modifiers", modifiers, "location", key->location);
    if (down && writes) {
        json_object_set_new(made, "text", json_string(key->text));
        json_object_set_new(made, "unmodifiedText", json_string(key->text));
    }
    return made;
}

static json_t *letter_event(char sign, gboolean down, int modifiers)
{
    char shown = modifiers & HF_DOM_SHIFT ? g_ascii_toupper(sign) : sign;
    char text[] = {shown, 0};
    char code[] = {'K', 'e', 'y', g_ascii_toupper(sign), 0};
    Key key = {0, text, code, g_ascii_toupper(sign), text};
    return dom_key_event_new(&key, down, modifiers);
}

static json_t *sign_event(char sign, gboolean down, int modifiers)
{
    for (gsize i = 0; i < G_N_ELEMENTS(places); i++) {
        const char *at = strchr(places[i].signs, sign);
        if (!at)
            continue;
        gboolean upper = at != places[i].signs || modifiers & HF_DOM_SHIFT;
        char text[] = {places[i].signs[upper ? 1 : 0], 0};
        Key key = {0, text, places[i].code, places[i].number, text};
        return dom_key_event_new(&key, down, modifiers);
    }
    return NULL;
}

json_t *hf_dom_key_event(guint32 keysym, gboolean down, int modifiers)
{
    for (gsize i = 0; i < G_N_ELEMENTS(keys); i++)
        if (keys[i].keysym == keysym)
            return dom_key_event_new(&keys[i], down, modifiers);
    if (keysym >= XKB_KEY_F1 && keysym <= XKB_KEY_F24) {
        g_autofree char *name = g_strdup_printf("F%u", keysym - XKB_KEY_F1 + 1);
        Key key = {0, name, name, 112 + (int)(keysym - XKB_KEY_F1)};
        return dom_key_event_new(&key, down, modifiers);
    }
    guint32 character = xkb_keysym_to_utf32(keysym);
    if (character < 0x80 && g_ascii_isalpha((char)character))
        return letter_event((char)character, down, modifiers);
    json_t *made = character < 0x80 ? sign_event((char)character, down, modifiers) : NULL;
    if (made || character < ' ')
        return made;
    char text[8] = "";
    g_unichar_to_utf8(character, text);
    Key key = {0, text, "", 0, text};
    return dom_key_event_new(&key, down, modifiers);
}
