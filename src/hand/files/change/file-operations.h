/* SPDX-License-Identifier: Apache-2.0 */
/* Turns a caller's operations into changes: write, create, edit, delete, move, mkdir, restore. Each
 * operation sees the effect of those before it. */
#pragma once

#include "hand/files/change/file-changes.h"
#include "hand/files/file-text.h"

/* {"op", "path", ...}: see the parameters of file_batch. After an error the changes are unusable.
 */
gboolean hf_file_operation_add(HfFileChanges *changes, const json_t *operation, GError **error);

/* Checks that files are still as expected: [{"path", "sha256"?, "directory"?}]; with neither,
 * nothing may be there. PRECONDITION_FAILED says what has changed. */
gboolean hf_file_operation_check_expected(const HfFileWalls *walls, const json_t *files,
                                          GError **error);

/* Replaces the only occurrence of `old`, or with `all` each one. In a file with CR LF line ends, LF
 * in `old` and `new` means CR LF. PRECONDITION_FAILED if `old` is missing (with the most similar
 * line, if a reader of `path` may see it) or occurs more than once (with the line numbers).
 * `ret_count`: how many were replaced. Owned. */
char *hf_text_edit_replace(const HfFileText *text, const char *path, const char *old,
                           const char *new, gboolean all, guint *ret_count, GError **error);
