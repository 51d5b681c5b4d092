/* SPDX-License-Identifier: Apache-2.0 */
/* Decoding of text properties. Programs lie about the encoding, so STRING that is valid UTF-8 is
 * taken as such. COMPOUND_TEXT is the X Consortium's form of ISO 2022: runs of bytes in character
 * sets that escape sequences choose; no library here reads it. */
#include "hand/x11/core/property-text.h"

#include <string.h>

#define ESCAPE 0x1b
#define CSI    0x9b
#define STX    0x02

#define MAX_CHARSET_BYTES 40

/* Drops the first bytes of a character whose rest was cut off. */
static gsize without_broken_end(const char *bytes, gsize length)
{
    for (gsize back = 1; back <= 3 && back <= length; back++) {
        const char *at = bytes + length - back;
        if (((guchar)*at & 0xc0) == 0x80)
            continue;
        gboolean incomplete = g_utf8_get_char_validated(at, (gssize)back) == (gunichar)-2;
        return incomplete ? length - back : length;
    }
    return length;
}

static void append_charset_text(GString *text, const char *bytes, gsize length, const char *charset)
{
    gsize written = 0;
    g_autofree char *converted = g_convert_with_fallback(bytes, (gssize)length, "UTF-8", charset,
                                                         NULL, NULL, &written, NULL);
    if (converted)
        g_string_append_len(text, converted, (gssize)written);
    else
        g_string_append(text, "\xef\xbf\xbd");
}

/* A set of characters that an escape sequence chooses, by the bytes after ESC. */
typedef struct CharacterSet {
    const char *escape;
    const char *charset; /* as iconv knows it; NULL: ASCII, bytes as they are */
} CharacterSet;

/* The left half (bytes below 0x80) and the right half (0xa0 and above) are chosen apart. Double
 * byte sets are read as the EUC form of their language, which has the high bits set. */
static const CharacterSet left_sets[] = {
    {"(B", NULL},      {"(J", NULL},     {"$(A", "EUC-CN"}, {"$A", "EUC-CN"},
    {"$(B", "EUC-JP"}, {"$B", "EUC-JP"}, {"$(C", "EUC-KR"},
};
static const CharacterSet right_sets[] = {
    {"-A", "ISO-8859-1"},  {"-B", "ISO-8859-2"},  {"-C", "ISO-8859-3"},  {"-D", "ISO-8859-4"},
    {"-F", "ISO-8859-7"},  {"-G", "ISO-8859-6"},  {"-H", "ISO-8859-8"},  {"-L", "ISO-8859-5"},
    {"-M", "ISO-8859-9"},  {"-V", "ISO-8859-10"}, {"-T", "TIS-620"},     {"-Y", "ISO-8859-13"},
    {"-_", "ISO-8859-14"}, {"-b", "ISO-8859-15"}, {"-f", "ISO-8859-16"}, {")I", "SHIFT-JIS"},
    {"$)A", "EUC-CN"},     {"$)B", "EUC-JP"},     {"$)C", "EUC-KR"},
};

typedef struct Compound {
    GString *text;
    const char *at, *end;
    const CharacterSet *left, *right;
} Compound;

static const CharacterSet *find_set(const CharacterSet *sets, gsize count, const Compound *compound)
{
    gsize rest = (gsize)(compound->end - compound->at);
    for (gsize i = 0; i < count; i++) {
        gsize length = strlen(sets[i].escape);
        if (length <= rest && memcmp(compound->at, sets[i].escape, length) == 0)
            return &sets[i];
    }
    return NULL;
}

static void append_valid_text(GString *text, const char *bytes, gsize length)
{
    g_autofree char *valid = g_utf8_make_valid(bytes, (gssize)length);
    g_string_append(text, valid);
}

/* ESC % G: UTF-8 up to ESC % @. */
static void read_utf8_segment(Compound *compound)
{
    const char *start = compound->at;
    const char *stop = memmem(start, (gsize)(compound->end - start), "\x1b%@", 3);
    append_valid_text(compound->text, start, (gsize)((stop ? stop : compound->end) - start));
    compound->at = stop ? stop + 3 : compound->end;
}

/* Only what can be a plain name reaches the conversion library. */
static gboolean is_charset_name(const char *name)
{
    gsize length = strspn(name, G_CSET_a_2_z G_CSET_A_2_Z G_CSET_DIGITS "-_.:");
    return length > 0 && length <= MAX_CHARSET_BYTES && name[length] == '\0';
}

/* ESC % / F M L: a count of bytes, then a charset's name, STX, and text in it. */
static void read_extended_segment(Compound *compound)
{
    const guchar *head = (const guchar *)compound->at;
    if (compound->end - compound->at < 3) {
        compound->at = compound->end;
        return;
    }
    gsize length = (gsize)(head[1] & 0x7f) * 128 + (head[2] & 0x7f);
    const char *start = compound->at + 3;
    length = MIN(length, (gsize)(compound->end - start));
    compound->at = start + length;
    const char *stx = memchr(start, STX, length);
    if (!stx)
        return;
    g_autofree char *charset = g_strndup(start, (gsize)(stx - start));
    if (is_charset_name(charset))
        append_charset_text(compound->text, stx + 1, (gsize)(start + length - stx - 1), charset);
}

static void read_iso2022_escape(Compound *compound)
{
    compound->at++;
    gsize rest = (gsize)(compound->end - compound->at);
    if (rest >= 2 && memcmp(compound->at, "%G", 2) == 0) {
        compound->at += 2;
        read_utf8_segment(compound);
        return;
    }
    if (rest >= 2 && memcmp(compound->at, "%/", 2) == 0) {
        compound->at += 2;
        read_extended_segment(compound);
        return;
    }
    const CharacterSet *left = find_set(left_sets, G_N_ELEMENTS(left_sets), compound);
    const CharacterSet *right = find_set(right_sets, G_N_ELEMENTS(right_sets), compound);
    if (left)
        compound->left = left;
    if (right)
        compound->right = right;
    if (left || right)
        compound->at += strlen((left ? left : right)->escape);
    else
        g_string_append(compound->text, "\xef\xbf\xbd");
}

static gboolean is_plain_byte(char byte, gboolean high)
{
    guchar value = (guchar)byte;
    return value != ESCAPE && value != CSI && (value >= 0x80) == high;
}

static void read_charset_run(Compound *compound)
{
    const char *start = compound->at;
    gboolean high = (guchar)*start >= 0x80;
    while (compound->at < compound->end && is_plain_byte(*compound->at, high))
        compound->at++;
    gsize length = (gsize)(compound->at - start);
    const char *charset = high ? compound->right->charset : compound->left->charset;
    if (!charset) {
        append_valid_text(compound->text, start, length);
        return;
    }
    g_autofree char *bytes = g_memdup2(start, length);
    for (gsize i = 0; i < length && !high; i++)
        bytes[i] = (char)(bytes[i] | 0x80);
    append_charset_text(compound->text, bytes, length, charset);
}

static char *decode_compound(const char *bytes, gsize length)
{
    Compound compound = {g_string_new(NULL), bytes, bytes + length, &left_sets[0], &right_sets[0]};
    while (compound.at < compound.end) {
        if ((guchar)*compound.at == ESCAPE) {
            read_iso2022_escape(&compound);
        } else if ((guchar)*compound.at == CSI) { /* a change of direction: CSI 1 ], 2 ] or ] */
            const char *stop = memchr(compound.at, ']', (gsize)(compound.end - compound.at));
            compound.at = stop && stop - compound.at <= 2 ? stop + 1 : compound.at + 1;
        } else {
            read_charset_run(&compound);
        }
    }
    g_autofree char *text = g_string_free(compound.text, FALSE);
    return g_utf8_make_valid(text, -1);
}

char *hf_x11_text_decode(HfX11Encoding encoding, const char *bytes, gsize length, gboolean cut)
{
    if (encoding == HF_X11_ENCODING_COMPOUND)
        return decode_compound(bytes, length);
    gsize whole = cut ? without_broken_end(bytes, length) : length;
    if (encoding == HF_X11_ENCODING_LATIN1 && !g_utf8_validate(bytes, (gssize)whole, NULL)) {
        char *text = g_convert(bytes, (gssize)length, "UTF-8", "ISO-8859-1", NULL, NULL, NULL);
        if (text)
            return text;
    }
    return g_utf8_make_valid(bytes, (gssize)whole);
}

char *hf_x11_text_decode_line(HfX11Encoding encoding, const char *bytes, gsize length, gboolean cut)
{
    g_autofree char *text = hf_x11_text_decode(encoding, bytes, length, cut);
    GString *line = g_string_sized_new(strlen(text));
    for (const char *at = text; *at; at = g_utf8_next_char(at)) {
        gunichar character = g_utf8_get_char(at);
        g_string_append_unichar(line, g_unichar_iscntrl(character) ? ' ' : character);
    }
    return g_string_free(line, FALSE);
}
