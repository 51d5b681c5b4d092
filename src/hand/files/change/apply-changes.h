/* SPDX-License-Identifier: Apache-2.0 */
/* Applies a set of changes, all of them or none, even if the process is killed halfway. */
#pragma once

#include "hand/files/change/file-changes.h"
#include "shared/base/deadline.h"

/* A change in progress. The new content lies in the same directory under a temporary name and is
 * exchanged with the old one, which then has that name. */
typedef struct HfChangeStep {
    HfFileChange *change;
    int directory;         /* O_PATH; holds the file */
    char *path;            /* of that directory */
    char *aside;           /* the temporary name */
    guint64 device, inode; /* of the directory */
    guint64 ours;          /* inode of the new content; 0: none */
    guint64 before;        /* inode of the old content; 0: none */
    gboolean done;
} HfChangeStep;

/* PRECONDITION_FAILED if something else has changed one of the files since it was read. After any
 * error everything is as before. */
gboolean hf_file_changes_apply(HfFileChanges *changes, const HfDeadline *deadline, GError **error);
