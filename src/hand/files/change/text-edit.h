/* SPDX-License-Identifier: Apache-2.0 */
/* Replaces a part of a text that has to occur exactly. */
#pragma once

#include "hand/files/file-text.h"

/* Replaces the only occurrence of `old`, or with `all` each one. In a file with CR LF line ends, LF
 * in `old` and `new` means CR LF. PRECONDITION_FAILED if `old` is missing (with the most similar
 * line, if a reader of `path` may see it) or occurs more than once (with the line numbers).
 * `ret_count`: how many were replaced. Owned. */
char *hf_text_edit_replace(const HfFileText *text, const char *path, const char *old,
                           const char *new, gboolean all, guint *ret_count, GError **error);
