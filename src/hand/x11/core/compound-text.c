/* SPDX-License-Identifier: Apache-2.0 */
/* Decoding COMPOUND_TEXT: escape sequences choose the character sets of the two halves of the byte
 * range, and iconv knows the sets. Bytes come from other programs: every step checks what is
 * left. */
#include "hand/x11/core/compound-text.h"

#include <string.h>

#define ESCAPE   0x1b
#define CONTROL  0x9b /* begins a change of direction, which is ignored */
#define STX      0x02
#define UNKNOWN  "\xef\xbf\xbd"
#define GR(byte) ((byte) >= 0xa0)

typedef struct Charset {
    char designator[3]; /* the escape sequence without its half: "(" and ")" are both "(" */
    const char *encoding;
    const char *prefix; /* before each character in that encoding; these sets have two bytes each */
} Charset;

/* An encoding in which the set's characters are bytes with the high bit set. */
static const Charset charsets[] = {
    {"(B", "US-ASCII", NULL},    {"(J", "US-ASCII", NULL},    {"(I", "EUC-JP", "\x8e"},
    {"-A", "ISO-8859-1", NULL},  {"-B", "ISO-8859-2", NULL},  {"-C", "ISO-8859-3", NULL},
    {"-D", "ISO-8859-4", NULL},  {"-F", "ISO-8859-7", NULL},  {"-G", "ISO-8859-6", NULL},
    {"-H", "ISO-8859-8", NULL},  {"-L", "ISO-8859-5", NULL},  {"-M", "ISO-8859-9", NULL},
    {"-V", "ISO-8859-10", NULL}, {"-T", "ISO-8859-11", NULL}, {"-Y", "ISO-8859-13", NULL},
    {"-_", "ISO-8859-14", NULL}, {"-b", "ISO-8859-15", NULL}, {"-f", "ISO-8859-16", NULL},
    {"$A", "EUC-CN", NULL},      {"$B", "EUC-JP", NULL},      {"$C", "EUC-KR", NULL},
    {"$D", "EUC-JP", "\x8f"},    {"$G", "EUC-TW", NULL},      {"$H", "EUC-TW", "\x8e\xa2"},
};
#define ASCII  (&charsets[0])
#define LATIN1 (&charsets[3])

typedef struct Decoder {
    const guint8 *at, *end;
    const Charset *left, *right; /* NULL: a set that is not known */
    GString *text;
} Decoder;

static const Charset *find_charset(char kind, char final)
{
    for (gsize i = 0; i < G_N_ELEMENTS(charsets); i++)
        if (charsets[i].designator[0] == kind && charsets[i].designator[1] == final)
            return &charsets[i];
    return NULL;
}

static void append_compound_converted(GString *text, const char *bytes, gsize length,
                                      const char *encoding)
{
    gsize size = 0;
    g_autofree char *utf8 = g_convert(bytes, (gssize)length, "UTF-8", encoding, NULL, &size, NULL);
    if (!utf8) {
        g_string_append(text, UNKNOWN);
        return;
    }
    g_autofree char *valid = g_utf8_make_valid(utf8, (gssize)size);
    g_string_append(text, valid);
}

/* The longest run of bytes of one half. */
static gsize run_length(const Decoder *decoder)
{
    gboolean right = GR(*decoder->at);
    const guint8 *at = decoder->at;
    while (at < decoder->end && GR(*at) == right && (right || (*at >= 0x20 && *at < 0x80)))
        at++;
    return (gsize)(at - decoder->at);
}

static void decode_run(Decoder *decoder)
{
    gsize length = run_length(decoder);
    const Charset *charset = GR(*decoder->at) ? decoder->right : decoder->left;
    if (length == 0) { /* a control character; only these two mean something */
        if (*decoder->at == '\n' || *decoder->at == '\t')
            g_string_append_c(decoder->text, (char)*decoder->at);
        decoder->at++;
        return;
    }
    if (charset == ASCII && !GR(*decoder->at)) {
        g_string_append_len(decoder->text, (const char *)decoder->at, (gssize)length);
    } else if (charset) {
        g_autoptr(GString) bytes = g_string_sized_new(length);
        gsize width = charset->designator[0] == '$' ? 2 : 1;
        guint8 high = charset == ASCII || charset == &charsets[1] ? 0 : 0x80;
        for (gsize i = 0; i < length; i++) {
            if (charset->prefix && i % width == 0)
                g_string_append(bytes, charset->prefix);
            g_string_append_c(bytes, (char)(decoder->at[i] | high));
        }
        append_compound_converted(decoder->text, bytes->str, bytes->len, charset->encoding);
    } else {
        g_string_append(decoder->text, UNKNOWN);
    }
    decoder->at += length;
}

/* ESC % G ... ESC % @: a piece of UTF-8. */
static void decode_utf8(Decoder *decoder)
{
    gsize left = (gsize)(decoder->end - decoder->at);
    const guint8 *stop = memmem(decoder->at, left, "\x1b%@", 3);
    gsize length = stop ? (gsize)(stop - decoder->at) : left;
    g_autofree char *valid = g_utf8_make_valid((const char *)decoder->at, (gssize)length);
    g_string_append(decoder->text, valid);
    decoder->at += length + (stop ? 3 : 0);
}

/* ESC % / F M L name STX bytes: a piece in an encoding that is named in it. */
static void decode_segment(Decoder *decoder)
{
    const guint8 *at = decoder->at;
    gsize left = (gsize)(decoder->end - at);
    gsize length = left >= 3 ? (at[1] & 0x7fu) * 128u + (at[2] & 0x7fu) : 0;
    if (left < 3 || length > left - 3) {
        decoder->at = decoder->end;
        return;
    }
    const guint8 *name = at + 3, *stop = memchr(name, STX, length);
    if (stop && stop - name < 64) {
        g_autofree char *encoding = g_strndup((const char *)name, (gsize)(stop - name));
        if (g_str_has_suffix(encoding, "-0")) /* X says gbk-0 where others say gbk */
            encoding[strlen(encoding) - 2] = '\0';
        append_compound_converted(decoder->text, (const char *)stop + 1,
                                  length - (gsize)(stop + 1 - name), encoding);
    }
    decoder->at = name + length;
}

static void decode_escape(Decoder *decoder)
{
    const guint8 *at = ++decoder->at;
    gsize left = (gsize)(decoder->end - at);
    if (left >= 2 && (at[0] == '(' || at[0] == ')' || at[0] == '-')) {
        const Charset *charset = find_charset(at[0] == '-' ? '-' : '(', (char)at[1]);
        *(at[0] == '(' ? &decoder->left : &decoder->right) = charset;
        decoder->at += 2;
    } else if (left >= 3 && at[0] == '$' && (at[1] == '(' || at[1] == ')')) {
        *(at[1] == '(' ? &decoder->left : &decoder->right) = find_charset('$', (char)at[2]);
        decoder->at += 3;
    } else if (left >= 2 && at[0] == '%' && at[1] == 'G') {
        decoder->at += 2;
        decode_utf8(decoder);
    } else if (left >= 2 && at[0] == '%' && at[1] == '/') {
        decoder->at += 2;
        decode_segment(decoder);
    }
}

char *hf_compound_text_to_utf8(const guint8 *bytes, gsize length)
{
    Decoder decoder = {bytes, bytes + length, ASCII, LATIN1, g_string_sized_new(length)};
    while (decoder.at < decoder.end) {
        if (*decoder.at == ESCAPE) {
            decode_escape(&decoder);
        } else if (*decoder.at == CONTROL) {
            const guint8 *stop = memchr(decoder.at, ']', (gsize)MIN(decoder.end - decoder.at, 4));
            decoder.at = stop ? stop + 1 : decoder.at + 1;
        } else {
            decode_run(&decoder);
        }
    }
    return g_string_free(decoder.text, FALSE);
}
