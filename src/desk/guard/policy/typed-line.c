/* SPDX-License-Identifier: Apache-2.0 */
/* Pieces of text in the order of typing. One piece is the line. With several, the possible lines
 * are all pieces in order, all in reverse (the cursor went to the start), and consecutive pieces
 * (the others went elsewhere): every such sequence if there are few pieces, else all prefixes, all
 * suffixes and each alone. */
#include "desk/guard/policy/typed-line.h"

#include <string.h>
#include <xkbcommon/xkbcommon-keysyms.h>
#include <xkbcommon/xkbcommon.h>

#include "desk/guard/guard-limits.h"

#define FEW         8
#define MOST_PIECES 64

struct HfTypedLine {
    GPtrArray *pieces; /* GString; the last one grows */
    gsize bytes;
    gboolean too_long;
    char *copied; /* what a paste inserts; NULL: unknown */
};

static void piece_free(gpointer piece)
{
    g_string_free(piece, TRUE);
}

HfTypedLine *hf_typed_line_new(void)
{
    HfTypedLine *line = g_new0(HfTypedLine, 1);
    line->pieces = g_ptr_array_new_with_free_func(piece_free);
    return line;
}

void hf_typed_line_free(HfTypedLine *line)
{
    if (!line)
        return;
    g_ptr_array_unref(line->pieces);
    g_free(line->copied);
    g_free(line);
}

HfTypedLine *hf_typed_line_dup(const HfTypedLine *line)
{
    HfTypedLine *copy = hf_typed_line_new();
    for (guint i = 0; i < line->pieces->len; i++)
        g_ptr_array_add(copy->pieces, g_string_new(((GString *)line->pieces->pdata[i])->str));
    copy->bytes = line->bytes;
    copy->too_long = line->too_long;
    copy->copied = g_strdup(line->copied);
    return copy;
}

static GString *last_piece(const HfTypedLine *line)
{
    return line->pieces->len ? line->pieces->pdata[line->pieces->len - 1] : NULL;
}

static void begin_piece(HfTypedLine *line)
{
    const GString *last = last_piece(line);
    if (!last || last->len == 0)
        return;
    if (line->pieces->len < MOST_PIECES)
        g_ptr_array_add(line->pieces, g_string_new(NULL));
    else
        line->too_long = TRUE;
}

static void add_typed_letter(HfTypedLine *line, gunichar letter)
{
    if (line->bytes >= HF_LIMIT_TYPED_LINE_BYTES) {
        line->too_long = TRUE;
        return;
    }
    if (!last_piece(line))
        g_ptr_array_add(line->pieces, g_string_new(NULL));
    GString *last = last_piece(line);
    gsize before = last->len;
    g_string_append_unichar(last, letter);
    line->bytes += last->len - before;
}

static void delete_last_letter(HfTypedLine *line)
{
    GString *last = last_piece(line);
    if (!last || last->len == 0) {
        begin_piece(line);
        return;
    }
    const char *letter = g_utf8_find_prev_char(last->str, last->str + last->len);
    gsize length = letter ? (gsize)(letter - last->str) : 0;
    line->bytes -= last->len - length;
    g_string_truncate(last, length);
}

static char *join_pieces(const HfTypedLine *line, guint from, guint to)
{
    GString *all = g_string_new(NULL);
    for (guint i = from; i < to; i++)
        g_string_append(all, ((GString *)line->pieces->pdata[i])->str);
    return g_string_free(all, FALSE);
}

static char *join_reversed(const HfTypedLine *line)
{
    GString *all = g_string_new(NULL);
    for (guint i = line->pieces->len; i > 0; i--)
        g_string_append(all, ((GString *)line->pieces->pdata[i - 1])->str);
    return g_string_free(all, FALSE);
}

static void collect_possible_lines(const HfTypedLine *line, GPtrArray *ended)
{
    guint count = line->pieces->len;
    if (count > 0 && last_piece(line)->len == 0)
        count--;
    if (count == 0 || line->bytes == 0)
        return;
    g_ptr_array_add(ended, join_pieces(line, 0, count));
    if (count == 1)
        return;
    g_ptr_array_add(ended, join_reversed(line));
    for (guint from = 0; from < count; from++)
        for (guint to = from + 1; to <= count; to++)
            if (to - from < count && (count <= FEW || to == count || from == 0 || to == from + 1))
                g_ptr_array_add(ended, join_pieces(line, from, to));
}

/* Enter; after a backslash a shell continues on the next line. */
static void enter_line(HfTypedLine *line, GPtrArray *ended)
{
    GString *last = last_piece(line);
    if (ended)
        collect_possible_lines(line, ended);
    if (last && last->len > 0 && last->str[last->len - 1] == '\\') {
        delete_last_letter(line);
    } else {
        g_ptr_array_set_size(line->pieces, 0);
        line->bytes = 0;
        line->too_long = FALSE;
    }
}

static void type_into_line(HfTypedLine *line, const char *text, GPtrArray *ended)
{
    for (const char *at = text; *at; at = g_utf8_next_char(at)) {
        gunichar letter = g_utf8_get_char(at);
        if (letter == '\n' || letter == '\r')
            enter_line(line, ended);
        else if (letter == '\b' || letter == 0x7f)
            delete_last_letter(line);
        else if (letter == '\t' || letter == 0x1b)
            begin_piece(line);
        else
            add_typed_letter(line, letter);
    }
}

typedef struct Chord {
    guint32 key;             /* the one non-modifier key; 0: none */
    gboolean shift, command; /* command: ctrl, alt, super or the like */
    gboolean several;
} Chord;

static Chord chord_of_keysyms(const GArray *keysyms)
{
    Chord chord = {0};
    for (guint i = 0; i < keysyms->len; i++) {
        guint32 key = g_array_index(keysyms, guint32, i);
        if (key == XKB_KEY_Shift_L || key == XKB_KEY_Shift_R)
            chord.shift = TRUE;
        else if ((key >= XKB_KEY_Shift_L && key <= XKB_KEY_Hyper_R) ||
                 (key >= XKB_KEY_ISO_Lock && key <= XKB_KEY_ISO_Level5_Lock))
            chord.command = TRUE;
        else if (chord.key)
            chord.several = TRUE;
        else
            chord.key = key;
    }
    return chord;
}

static gboolean is_enter(const Chord *chord)
{
    guint32 key = chord->key;
    return key == XKB_KEY_Return || key == XKB_KEY_KP_Enter || key == XKB_KEY_ISO_Enter ||
           key == XKB_KEY_Linefeed ||
           (chord->command && key && key < 0x80 && strchr("mMjJoO", (int)key));
}

static gboolean is_paste(const Chord *chord)
{
    return (chord->command && (chord->key == 'v' || chord->key == 'V')) ||
           (chord->shift && (chord->key == XKB_KEY_Insert || chord->key == XKB_KEY_KP_Insert)) ||
           chord->key == XKB_KEY_XF86Paste;
}

/* The letter that a key produces alone or with shift; 0: unknown. */
static gunichar letter_of(const Chord *chord)
{
    gunichar letter = xkb_keysym_to_utf32(chord->key);
    if (chord->command || chord->several || !letter || g_unichar_iscntrl(letter))
        return 0;
    gunichar upper = g_unichar_toupper(letter);
    if (!chord->shift || upper != letter || g_unichar_isupper(letter))
        return chord->shift ? upper : letter;
    return 0; /* what shift makes of it depends on the layout */
}

static void press_chord_on_line(HfTypedLine *line, const GArray *keysyms, GPtrArray *ended)
{
    Chord chord = chord_of_keysyms(keysyms);
    gunichar letter = letter_of(&chord);
    if (is_enter(&chord)) {
        enter_line(line, ended);
    } else if (is_paste(&chord)) {
        begin_piece(line);
        if (line->copied)
            type_into_line(line, line->copied, ended);
    } else if (letter) {
        add_typed_letter(line, letter);
    } else if (chord.key == XKB_KEY_BackSpace && !chord.command) {
        delete_last_letter(line);
    } else if (chord.key) {
        begin_piece(line);
    }
}

void hf_typed_line_type(HfTypedLine *line, const char *text)
{
    type_into_line(line, text, NULL);
}

void hf_typed_line_press(HfTypedLine *line, const GArray *keysyms, guint times)
{
    for (guint i = 0; i < times; i++)
        press_chord_on_line(line, keysyms, NULL);
}

void hf_typed_line_copy(HfTypedLine *line, const char *text)
{
    g_free(line->copied);
    line->copied = strlen(text) <= HF_LIMIT_TYPED_LINE_BYTES ? g_strdup(text) : NULL;
}

void hf_typed_line_mark_uncertain(HfTypedLine *line)
{
    begin_piece(line);
}

GPtrArray *hf_typed_line_if_typed(const HfTypedLine *line, const char *text)
{
    g_autoptr(HfTypedLine) then = hf_typed_line_dup(line);
    GPtrArray *ended = g_ptr_array_new_with_free_func(g_free);
    type_into_line(then, text, ended);
    /* Several lines may form one command: loops, here-documents, quoted newlines. */
    if (ended->len > 0 && line->bytes > 0) {
        g_autofree char *before = join_pieces(line, 0, line->pieces->len);
        g_ptr_array_add(ended, g_strconcat(before, text, NULL));
    }
    if (ended->len > 0) /* the earlier text may be in another window */
        g_ptr_array_add(ended, g_strdup(text));
    return ended;
}

GPtrArray *hf_typed_line_if_pressed(const HfTypedLine *line, const GArray *keysyms)
{
    g_autoptr(HfTypedLine) then = hf_typed_line_dup(line);
    GPtrArray *ended = g_ptr_array_new_with_free_func(g_free);
    press_chord_on_line(then, keysyms, ended);
    return ended;
}

gboolean hf_typed_line_is_too_long(const HfTypedLine *line)
{
    return line->too_long;
}
