/* SPDX-License-Identifier: Apache-2.0 */
/* What a caller asks for, one operation at a time, as changes: write, create, edit, delete, move,
 * mkdir, restore. Each sees what the ones before it will have done. */
#pragma once

#include "hand/files/change/file-changes.h"

/* {"op", "path", ...}: see the parameters of file_batch. Wrong ones fail with their code and leave
 * the changes unusable. */
gboolean hf_file_operation_add(HfFileChanges *changes, const json_t *operation, GError **error);

/* What must still be so: [{"path", "sha256"? , "directory"?}]; neither: nothing is there.
 * PRECONDITION_FAILED, saying what it is instead. */
gboolean hf_file_operation_check_expected(const HfFileWalls *walls, const json_t *files,
                                          GError **error);
