/* What a caller asks for, one operation at a time, as changes: write, create, edit, delete, move,
 * mkdir, restore. Each sees what the ones before it will have done. */
#pragma once

#include "files/change.h"

/* {"op", "path", ...}: see the parameters of file_batch. Wrong ones fail with their code and leave
 * the changes unusable. */
gboolean hf_operation_add(HfChanges *changes, const json_t *operation, GError **error);

/* What must still be so: [{"path", "sha256"? , "directory"?}]; neither: nothing is there.
 * PRECONDITION_FAILED, saying what it is instead. */
gboolean hf_files_expect(const HfFileWalls *walls, const json_t *files, GError **error);
