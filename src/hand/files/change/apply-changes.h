/* SPDX-License-Identifier: Apache-2.0 */
/* Doing what changes say, all of it or nothing, also when the process is killed in the midst. */
#pragma once

#include "hand/files/change/file-changes.h"
#include "shared/base/deadline.h"

/* One change on its way: the new content lies beside under a name of ours, and is exchanged for the
 * old one, which then lies there. */
typedef struct HfChangeStep {
    HfFileChange *change;
    int directory;         /* that the name is in; O_PATH */
    char *path;            /* of that directory */
    char *aside;           /* the name of ours */
    guint64 device, inode; /* of the directory */
    guint64 ours;          /* the inode of what we wrote; 0: nothing */
    guint64 before;        /* the inode of what was there; 0: nothing */
    gboolean done;
} HfChangeStep;

/* PRECONDITION_FAILED when something else has changed one of them since it was read. Whatever the
 * error, everything is as it was. */
gboolean hf_file_changes_apply(HfFileChanges *changes, const HfDeadline *deadline, GError **error);
