/* SPDX-License-Identifier: Apache-2.0 */
/* Going through a directory and all below it, on several threads, by descriptors: no link is
 * followed, so that nothing outside is ever reached. */
#pragma once

#include "hand/files/file-place.h"
#include "shared/base/deadline.h"

typedef struct HfWalkFile {
    int directory;    /* open */
    const char *name; /* in it */
    const char *path; /* of the directory */
    gboolean folder;
    guint thread; /* from 0 on */
} HfWalkFile;

typedef struct HfWalkOptions {
    gboolean hidden;  /* also names that begin with a dot */
    gboolean ignored; /* also what ignore files leave out */
    guint threads;
    /* For each file and directory, on any thread. FALSE ends the walk. */
    gboolean (*visit)(const HfWalkFile *file, gpointer data);
    gpointer data;
} HfWalkOptions;

typedef struct HfWalkCounts {
    guint64 files, folders, unreadable;
} HfWalkCounts;

/* FALSE when it was called off by its deadline. */
gboolean hf_directory_walk(const HfFileWalls *walls, const HfFilePlace *place,
                           const HfWalkOptions *options, const HfDeadline *deadline,
                           HfWalkCounts *ret_counts, GError **error);
