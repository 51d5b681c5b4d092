/* SPDX-License-Identifier: Apache-2.0 */
/* The same bytes as xterm's. */
#include "hand/shell/terminal/terminal-keys.h"

#include <string.h>

#include "shared/base/error.h"

/* A key is sent as bytes; as ESC [ character, or ESC O character in application mode; or as ESC [
 * number ~. */
typedef struct Key {
    const char *name, *bytes;
    char character;
    int number;
} Key;

static const Key keys[] = {
    {"enter", "\r"},          {"return", "\r"},          {"tab", "\t"},
    {"escape", "\033"},       {"esc", "\033"},           {"space", " "},
    {"backspace", "\177"},    {"up", NULL, 'A'},         {"down", NULL, 'B'},
    {"right", NULL, 'C'},     {"left", NULL, 'D'},       {"home", NULL, 'H'},
    {"end", NULL, 'F'},       {"insert", NULL, 0, 2},    {"delete", NULL, 0, 3},
    {"del", NULL, 0, 3},      {"pageup", NULL, 0, 5},    {"page_up", NULL, 0, 5},
    {"pagedown", NULL, 0, 6}, {"page_down", NULL, 0, 6}, {"f1", "\033OP"},
    {"f2", "\033OQ"},         {"f3", "\033OR"},          {"f4", "\033OS"},
    {"f5", NULL, 0, 15},      {"f6", NULL, 0, 17},       {"f7", NULL, 0, 18},
    {"f8", NULL, 0, 19},      {"f9", NULL, 0, 20},       {"f10", NULL, 0, 21},
    {"f11", NULL, 0, 23},     {"f12", NULL, 0, 24},
};

typedef struct Chord {
    gboolean ctrl, alt, shift;
    char *key;
} Chord;

static void chord_clear(Chord *chord)
{
    g_free(chord->key);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Chord, chord_clear)

static gboolean fail_unknown_terminal_key(const char *name, GError **error)
{
    hf_fail(error, HF_ERROR_INVALID_PARAMS, "keys: unknown key '%s'", name);
    hf_error_suggest(error, "use enter, tab, escape, backspace, up, down, left, right, home, end, "
                            "pageup, pagedown, insert, delete, f1 to f12, ctrl+LETTER, alt+LETTER");
    return FALSE;
}

/* "ctrl++" is ctrl and the plus key. */
static gboolean parse_terminal_chord(const char *name, Chord *ret_chord)
{
    const char *at = name, *plus;
    while ((plus = strchr(at, '+')) && plus > at && plus[1]) {
        g_autofree char *word = g_ascii_strdown(at, plus - at);
        if (strcmp(word, "ctrl") == 0 || strcmp(word, "control") == 0)
            ret_chord->ctrl = TRUE;
        else if (strcmp(word, "alt") == 0 || strcmp(word, "meta") == 0)
            ret_chord->alt = TRUE;
        else if (strcmp(word, "shift") == 0)
            ret_chord->shift = TRUE;
        else
            return FALSE;
        at = plus + 1;
    }
    ret_chord->key = g_strdup(at);
    return *at != 0;
}

static const Key *find_terminal_key(const char *name)
{
    for (gsize i = 0; i < G_N_ELEMENTS(keys); i++)
        if (g_ascii_strcasecmp(keys[i].name, name) == 0)
            return &keys[i];
    return NULL;
}

static void append_named(GString *bytes, const Key *key, const Chord *chord, gboolean application)
{
    /* xterm's modifier code: 1 plus shift 1, alt 2, ctrl 4. */
    int held = 1 + (chord->shift ? 1 : 0) + (chord->alt ? 2 : 0) + (chord->ctrl ? 4 : 0);
    if (chord->shift && strcmp(key->name, "tab") == 0)
        g_string_append(bytes, "\033[Z");
    else if (key->bytes)
        g_string_append_printf(bytes, "%s%s", chord->alt ? "\033" : "", key->bytes);
    else if (key->character && held > 1)
        g_string_append_printf(bytes, "\033[1;%d%c", held, key->character);
    else if (key->character)
        g_string_append_printf(bytes, "\033%c%c", application ? 'O' : '[', key->character);
    else if (held > 1)
        g_string_append_printf(bytes, "\033[%d;%d~", key->number, held);
    else
        g_string_append_printf(bytes, "\033[%d~", key->number);
}

/* 0x100: this character has no control character. */
static int control_character_of(gunichar character)
{
    if (character == ' ' || character == '@')
        return 0;
    if (character == '?')
        return 0x7f;
    int upper = character < 0x80 ? g_ascii_toupper((char)character) : 0;
    return upper >= 'A' && upper <= '_' ? upper - '@' : 0x100;
}

static gboolean append_character_key(GString *bytes, const Chord *chord)
{
    gunichar character = g_utf8_get_char(chord->key);
    if (*g_utf8_next_char(chord->key) || g_unichar_iscntrl(character))
        return FALSE;
    int control = chord->ctrl ? control_character_of(character) : 0;
    if (control == 0x100)
        return FALSE;
    if (chord->alt)
        g_string_append_c(bytes, '\033');
    if (chord->ctrl)
        g_string_append_c(bytes, (char)control);
    else
        g_string_append_unichar(bytes, chord->shift ? g_unichar_toupper(character) : character);
    return TRUE;
}

gboolean hf_terminal_keys_append(GString *bytes, const char *name, gboolean application,
                                 GError **error)
{
    g_auto(Chord) chord = {0};
    if (!g_utf8_validate(name, -1, NULL) || !parse_terminal_chord(name, &chord))
        return fail_unknown_terminal_key(name, error);
    const Key *key = find_terminal_key(chord.key);
    if (key && chord.ctrl && key->bytes && strcmp(key->name, "space") == 0)
        g_string_append_c(bytes, 0);
    else if (key)
        append_named(bytes, key, &chord, application);
    else if (!append_character_key(bytes, &chord))
        return fail_unknown_terminal_key(name, error);
    return TRUE;
}
