/* SPDX-License-Identifier: Apache-2.0 */
/* The bytes of a file as text: which encoding, which line endings; and back, to the same bytes. */
#pragma once

#include <glib.h>

typedef enum HfEncoding {
    HF_ENCODING_BINARY, /* no text that would come back as the same bytes */
    HF_ENCODING_UTF8,
    HF_ENCODING_UTF16LE, /* these two only with a byte order mark */
    HF_ENCODING_UTF16BE,
    HF_ENCODING_COUNT,
} HfEncoding;

typedef enum HfEndings {
    HF_ENDINGS_NONE, /* one line */
    HF_ENDINGS_LF,
    HF_ENDINGS_CRLF,
    HF_ENDINGS_CR,
    HF_ENDINGS_MIXED,
    HF_ENDINGS_COUNT,
} HfEndings;

typedef struct HfFileText {
    HfEncoding encoding;
    gboolean mark; /* it begins with a byte order mark, which is not in `text` */
    HfEndings endings;
    char *text; /* valid UTF-8 without NUL; NULL: binary */
    gsize length;
} HfFileText;

void hf_file_text_read(HfFileText *text, GBytes *bytes);
void hf_file_text_clear(HfFileText *text);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(HfFileText, hf_file_text_clear)

/* Other words in the same encoding, with the same mark. */
GBytes *hf_file_text_write(const HfFileText *like, const char *words);

const char *hf_encoding_name(HfEncoding encoding);
const char *hf_endings_name(HfEndings endings);

/* How many lines; a last one that nothing ends counts too. */
guint64 hf_text_count_lines(const char *text, gsize length);
/* The number of the line, from 1 on, that the byte at `offset` is in. */
guint64 hf_text_line_at(const char *text, gsize offset);
