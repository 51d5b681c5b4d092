/* SPDX-License-Identifier: Apache-2.0 */
/* What is not certainly text is binary: an edit must keep every other byte. */
#include "hand/files/file-text.h"

#include <string.h>

static const char *const encoding_names[HF_ENCODING_COUNT] = {
    [HF_ENCODING_BINARY] = "binary",
    [HF_ENCODING_UTF8] = "utf-8",
    [HF_ENCODING_UTF16LE] = "utf-16le",
    [HF_ENCODING_UTF16BE] = "utf-16be",
};
static const char *const endings_names[HF_ENDINGS_COUNT] = {
    [HF_ENDINGS_NONE] = "none", [HF_ENDINGS_LF] = "lf",       [HF_ENDINGS_CRLF] = "crlf",
    [HF_ENDINGS_CR] = "cr",     [HF_ENDINGS_MIXED] = "mixed",
};

const char *hf_encoding_name(HfEncoding encoding)
{
    return encoding_names[encoding];
}

const char *hf_endings_name(HfEndings endings)
{
    return endings_names[endings];
}

static guint16 read_utf16_unit(const guint8 *at, gboolean big)
{
    return (guint16)(big ? at[0] << 8 | at[1] : at[1] << 8 | at[0]);
}

/* NULL if encoding would not restore the bytes: half characters, lone surrogates, NUL. */
static char *decode_16(const guint8 *data, gsize size, gboolean big)
{
    g_autofree gunichar2 *units = g_new(gunichar2, size / 2 + 1);
    if (size % 2)
        return NULL;
    for (gsize i = 0; i < size / 2; i++) {
        units[i] = read_utf16_unit(data + 2 * i, big);
        if (units[i] == 0)
            return NULL;
    }
    return g_utf16_to_utf8(units, (glong)(size / 2), NULL, NULL, NULL);
}

/* MIXED if there are several kinds. */
static HfEndings find_endings(const char *text)
{
    HfEndings found = HF_ENDINGS_NONE;
    for (const char *at = strpbrk(text, "\r\n"); at; at = strpbrk(at, "\r\n")) {
        HfEndings kind = at[0] == '\n'   ? HF_ENDINGS_LF
                         : at[1] == '\n' ? HF_ENDINGS_CRLF
                                         : HF_ENDINGS_CR;
        if (found != HF_ENDINGS_NONE && found != kind)
            return HF_ENDINGS_MIXED;
        found = kind;
        at += kind == HF_ENDINGS_CRLF ? 2 : 1;
    }
    return found;
}

void hf_file_text_read(HfFileText *text, GBytes *bytes)
{
    gsize size;
    const guint8 *data = g_bytes_get_data(bytes, &size);
    *text = (HfFileText){0};
    if (size == 0) {
        text->text = g_strdup("");
        text->encoding = HF_ENCODING_UTF8;
    } else if (size >= 2 &&
               (read_utf16_unit(data, FALSE) == 0xfeff || read_utf16_unit(data, TRUE) == 0xfeff)) {
        gboolean big = data[0] == 0xfe;
        text->text = decode_16(data + 2, size - 2, big);
        text->encoding = big ? HF_ENCODING_UTF16BE : HF_ENCODING_UTF16LE;
        text->mark = TRUE;
    } else {
        text->mark = size >= 3 && memcmp(data, "\xef\xbb\xbf", 3) == 0;
        gsize skip = text->mark ? 3 : 0;
        if (!memchr(data, 0, size) && g_utf8_validate((const char *)data, (gssize)size, NULL))
            text->text = g_strndup((const char *)data + skip, size - skip);
        text->encoding = HF_ENCODING_UTF8;
    }
    if (!text->text) {
        *text = (HfFileText){.encoding = HF_ENCODING_BINARY};
        return;
    }
    text->length = strlen(text->text);
    text->endings = find_endings(text->text);
}

void hf_file_text_clear(HfFileText *text)
{
    g_clear_pointer(&text->text, g_free);
}

static void append_16(GByteArray *bytes, gunichar2 unit, gboolean big)
{
    guint8 two[2] = {(guint8)(big ? unit >> 8 : unit), (guint8)(big ? unit : unit >> 8)};
    g_byte_array_append(bytes, two, 2);
}

static GBytes *encode_16(const char *content, gboolean big)
{
    glong count = 0;
    g_autofree gunichar2 *units = g_utf8_to_utf16(content, -1, NULL, &count, NULL);
    GByteArray *bytes = g_byte_array_new();
    append_16(bytes, 0xfeff, big);
    for (glong i = 0; i < count; i++)
        append_16(bytes, units[i], big);
    return g_byte_array_free_to_bytes(bytes);
}

GBytes *hf_file_text_write(const HfFileText *like, const char *content)
{
    if (like->encoding == HF_ENCODING_UTF16LE || like->encoding == HF_ENCODING_UTF16BE)
        return encode_16(content, like->encoding == HF_ENCODING_UTF16BE);
    char *all = g_strconcat(like->mark ? "\xef\xbb\xbf" : "", content, NULL);
    return g_bytes_new_take(all, strlen(all));
}

/* The byte after the next line feed; NULL if there is none. */
static const char *next_line(const char *at, const char *end)
{
    const char *feed = memchr(at, '\n', (gsize)(end - at));
    return feed ? feed + 1 : NULL;
}

guint64 hf_text_count_lines(const char *text, gsize length)
{
    guint64 count = 0;
    const char *end = text + length, *at = text;
    for (const char *next; at < end && (next = next_line(at, end)); at = next)
        count++;
    return count + (at < end);
}

guint64 hf_text_line_at(const char *text, gsize offset)
{
    guint64 line = 1;
    const char *end = text + offset;
    for (const char *at = text; at < end && (at = next_line(at, end));)
        line++;
    return line;
}
