/* SPDX-License-Identifier: Apache-2.0 */
/* Decodes a file's bytes to text, with encoding and line endings, and encodes text back to the same
 * form. */
#pragma once

#include <glib.h>

typedef enum HfEncoding {
    HF_ENCODING_BINARY, /* decoding it would lose bytes */
    HF_ENCODING_UTF8,
    HF_ENCODING_UTF16LE, /* UTF-16 only with a byte order mark */
    HF_ENCODING_UTF16BE,
    HF_ENCODING_COUNT,
} HfEncoding;

typedef enum HfEndings {
    HF_ENDINGS_NONE, /* a single line */
    HF_ENDINGS_LF,
    HF_ENDINGS_CRLF,
    HF_ENDINGS_CR,
    HF_ENDINGS_MIXED,
    HF_ENDINGS_COUNT,
} HfEndings;

typedef struct HfFileText {
    HfEncoding encoding;
    gboolean mark; /* it begins with a byte order mark, which `text` leaves out */
    HfEndings endings;
    char *text; /* valid UTF-8 without NUL; NULL: binary */
    gsize length;
} HfFileText;

void hf_file_text_read(HfFileText *text, GBytes *bytes);
void hf_file_text_clear(HfFileText *text);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(HfFileText, hf_file_text_clear)

/* Encodes other text the same way, with the same byte order mark. */
GBytes *hf_file_text_write(const HfFileText *like, const char *content);

const char *hf_encoding_name(HfEncoding encoding);
const char *hf_endings_name(HfEndings endings);

/* How many lines; an unterminated last line counts. */
guint64 hf_text_count_lines(const char *text, gsize length);
/* The line, from 1, that contains the byte at `offset`. */
guint64 hf_text_line_at(const char *text, gsize offset);
