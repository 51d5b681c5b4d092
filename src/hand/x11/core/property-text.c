/* SPDX-License-Identifier: Apache-2.0 */
/* Decodes text of other programs. Many declare the wrong encoding, so STRING or text/plain that is
 * valid UTF-8 counts as UTF-8. COMPOUND_TEXT is the format from before Unicode that Motif, Xt and
 * old terminals still use: ISO 2022, where escape sequences choose the character sets of the two
 * halves of the byte range. No library here reads it; iconv knows the sets. The bytes are not
 * trusted: every step checks how many are left. */
#include "hand/x11/core/property-text.h"

#include <string.h>

#define ESCAPE            0x1b
#define CSI               0x9b /* begins a change of writing direction, which is ignored */
#define STX               0x02
#define UNKNOWN           "\xef\xbf\xbd"
#define MAX_CHARSET_BYTES 40
#define GR(byte)          ((byte) >= 0xa0)

typedef struct Charset {
    char designator[3]; /* the escape sequence; "(" stands for both halves, "(" and ")" */
    const char *encoding;
    const char *prefix; /* goes before each character in that encoding */
} Charset;

/* In each encoding, the characters of the set are bytes with the high bit set. */
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
    const Charset *left, *right; /* NULL: an unknown set */
    GString *text;
    const char *unknown_escape; /* stands for an unknown escape sequence */
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

/* The length of the run of bytes that belong to the same half. */
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
    if (length == 0) { /* a control character: only these two are kept */
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

/* ESC % G ... ESC % @: UTF-8. */
static void decode_utf8(Decoder *decoder)
{
    gsize left = (gsize)(decoder->end - decoder->at);
    const guint8 *stop = memmem(decoder->at, left, "\x1b%@", 3);
    gsize length = stop ? (gsize)(stop - decoder->at) : left;
    g_autofree char *valid = g_utf8_make_valid((const char *)decoder->at, (gssize)length);
    g_string_append(decoder->text, valid);
    decoder->at += length + (stop ? 3 : 0);
}

/* Only a plain name reaches iconv. */
static gboolean is_charset_name(const char *name)
{
    gsize length = strspn(name, G_CSET_a_2_z G_CSET_A_2_Z G_CSET_DIGITS "-_.:");
    return length > 0 && length <= MAX_CHARSET_BYTES && name[length] == '\0';
}

/* ESC % / F M L name STX bytes: text in the encoding of that name. M and L are its length. */
static void decode_extended_segment(Decoder *decoder)
{
    const guint8 *at = decoder->at;
    if (decoder->end - at < 3) {
        decoder->at = decoder->end;
        return;
    }
    const guint8 *name = at + 3;
    gsize length = (at[1] & 0x7fu) * 128u + (at[2] & 0x7fu);
    length = MIN(length, (gsize)(decoder->end - name));
    decoder->at = name + length;
    const guint8 *stop = memchr(name, STX, length);
    if (!stop)
        return;
    g_autofree char *encoding = g_strndup((const char *)name, (gsize)(stop - name));
    if (g_str_has_suffix(encoding, "-0")) /* X says gbk-0 where others say gbk */
        encoding[strlen(encoding) - 2] = '\0';
    if (is_charset_name(encoding))
        append_compound_converted(decoder->text, (const char *)stop + 1,
                                  (gsize)(decoder->at - stop - 1), encoding);
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
    } else if (left >= 2 && at[0] == '$' && (at[1] == 'A' || at[1] == 'B')) {
        decoder->left = find_charset('$', (char)at[1]); /* the short form of ISO 2022 */
        decoder->at += 2;
    } else if (left >= 2 && at[0] == '%' && at[1] == 'G') {
        decoder->at += 2;
        decode_utf8(decoder);
    } else if (left >= 2 && at[0] == '%' && at[1] == '/') {
        decoder->at += 2;
        decode_extended_segment(decoder);
    } else {
        g_string_append(decoder->text, decoder->unknown_escape);
    }
}

static char *decode_compound_text(const char *bytes, gsize length, const char *unknown_escape)
{
    const guint8 *start = (const guint8 *)bytes;
    Decoder decoder = {.at = start,
                       .end = start + length,
                       .left = ASCII,
                       .right = LATIN1,
                       .text = g_string_sized_new(length),
                       .unknown_escape = unknown_escape};
    while (decoder.at < decoder.end) {
        if (*decoder.at == ESCAPE) {
            decode_escape(&decoder);
        } else if (*decoder.at == CSI) {
            const guint8 *stop = memchr(decoder.at, ']', (gsize)MIN(decoder.end - decoder.at, 4));
            decoder.at = stop ? stop + 1 : decoder.at + 1;
        } else {
            decode_run(&decoder);
        }
    }
    return g_string_free(decoder.text, FALSE);
}

/* The length without the last character if that is incomplete. */
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

char *hf_x11_text_decode(HfX11Encoding encoding, const char *bytes, gsize length, gboolean cut)
{
    if (encoding == HF_X11_ENCODING_COMPOUND)
        return decode_compound_text(bytes, length, UNKNOWN);
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

/* The value of "charset=" in a media type; NULL when there is none. */
static char *dup_charset(const char *type)
{
    g_autofree char *lower = g_ascii_strdown(type, -1);
    const char *at = strstr(lower, "charset=");
    if (!at)
        return NULL;
    at += strlen("charset=");
    at += *at == '"';
    return g_strndup(at, strcspn(at, "\"; "));
}

char *hf_x11_text_decode_type(const char *type, const char *bytes, gsize length)
{
    while (length > 0 && bytes[length - 1] == '\0')
        length--; /* some owners send the end of their string too */
    if (length == 0)
        return g_strdup("");
    if (g_str_equal(type, "COMPOUND_TEXT")) /* what people paste gains no characters */
        return decode_compound_text(bytes, length, "");
    if (g_utf8_validate_len(bytes, length, NULL))
        return g_strndup(bytes, length);
    g_autofree char *charset = dup_charset(type);
    const char *encoding = charset ? charset : "ISO-8859-1";
    char *converted = NULL;
    gboolean utf8 = g_str_equal(type, "UTF8_STRING") || g_ascii_strcasecmp(encoding, "utf-8") == 0;
    gsize size = 0;
    if (!utf8)
        converted = g_convert(bytes, (gssize)length, "UTF-8", encoding, NULL, &size, NULL);
    if (!converted)
        return g_utf8_make_valid(bytes, (gssize)length);
    g_autofree char *owned = converted;
    return g_utf8_make_valid(owned, (gssize)size);
}
