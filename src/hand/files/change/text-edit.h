/* SPDX-License-Identifier: Apache-2.0 */
/* Replacing a part of a text that must be there exactly so. */
#pragma once

#include "hand/files/file-text.h"

/* `old` once, or each time with `all`, by `new`. Where a file ends its lines with CR LF, LF in both
 * means that. PRECONDITION_FAILED when it is not there, with the line that is most like it if one
 * that reads the file at `path` is shown it, or more than once, with the lines where. `ret_count`:
 * how often it was replaced. Owned. */
char *hf_text_edit_replace(const HfFileText *text, const char *path, const char *old,
                           const char *new, gboolean all, guint *ret_count, GError **error);
