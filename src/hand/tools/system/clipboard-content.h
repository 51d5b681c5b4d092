/* SPDX-License-Identifier: Apache-2.0 */
/* What lies on a clipboard besides plain text, in the words of the clipboard tools. The readers of
 * foreign bytes are pure. */
#pragma once

#include "hand/desktop/clipboard.h"
#include "shared/tool/call.h"

/* The selection that the call names. */
HfSelection hf_content_selection(const HfCall *call);
/* The formats that stand for a word (html, image, files), best first and ended by NULL; NULL: the
 * word is the name of a format itself. */
const char *const *hf_content_formats(const char *word);

/* Markup as programs hand it over: UTF-8, or UTF-16 with its mark; ends of strings are left out.
 * Valid UTF-8. */
char *hf_content_read_html(const guint8 *bytes, gsize length);
/* The places in a list of addresses (text/uri-list, or a file manager's own): paths of files on
 * this machine, else the address. An array of texts. */
json_t *hf_content_read_files(const guint8 *bytes, gsize length);
/* And back: "text/uri-list" from paths. NULL with INVALID_PARAMS for a path that is not absolute.
 */
char *hf_content_write_files(const json_t *paths, GError **error);
