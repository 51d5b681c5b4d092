/* SPDX-License-Identifier: Apache-2.0 */
/* Clipboard content other than plain text, for the clipboard tools. The functions that read bytes
 * of other programs are pure. */
#pragma once

#include "hand/desktop/clipboard.h"
#include "shared/tool/call.h"

#define HF_PARAM_SELECTION(ABOUT)                                                                  \
    HF_STRING("selection", ABOUT, .choices = hf_content_selections, .fallback = "\"clipboard\"")
extern const char *const hf_content_selections[];
/* The selection that the call names. */
HfSelection hf_content_selection(const HfCall *call);
/* The formats behind a word (html, image, files), best first, NULL-terminated. NULL: the word
 * itself is the name of a format. */
const char *const *hf_content_formats(const char *word);

/* Markup as programs offer it: UTF-8, or UTF-16 with a byte order mark. Returns valid UTF-8 without
 * trailing NULs. */
char *hf_content_read_html(const guint8 *bytes, gsize length);
/* The entries of a text/uri-list, or of a file manager's list: an array of paths for local files,
 * else of URLs. */
json_t *hf_content_read_files(const guint8 *bytes, gsize length);
/* A text/uri-list from paths. NULL with INVALID_PARAMS for a path that is not absolute. */
char *hf_content_write_files(const json_t *paths, GError **error);
