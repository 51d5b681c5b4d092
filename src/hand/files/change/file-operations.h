/* SPDX-License-Identifier: Apache-2.0 */
/* Turns a caller's operations into changes: write, create, edit, delete, move, mkdir, restore. Each
 * operation sees the effect of those before it. */
#pragma once

#include "hand/files/change/file-changes.h"

/* {"op", "path", ...}: see the parameters of file_batch. After an error the changes are unusable.
 */
gboolean hf_file_operation_add(HfFileChanges *changes, const json_t *operation, GError **error);

/* Checks that files are still as expected: [{"path", "sha256"?, "directory"?}]; with neither,
 * nothing may be there. PRECONDITION_FAILED says what has changed. */
gboolean hf_file_operation_check_expected(const HfFileWalls *walls, const json_t *files,
                                          GError **error);
