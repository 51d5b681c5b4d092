/* SPDX-License-Identifier: Apache-2.0 */
/* Walks a directory tree on several threads, by descriptors. It follows no link, so it never leaves
 * the tree. */
#pragma once

#include "hand/files/file-place.h"
#include "shared/base/deadline.h"

typedef struct HfWalkFile {
    int directory;    /* its directory, open */
    const char *name; /* in that directory */
    const char *path; /* of that directory */
    gboolean folder;
    guint thread; /* from 0 */
} HfWalkFile;

typedef struct HfWalkOptions {
    gboolean hidden;  /* include names that begin with a dot */
    gboolean ignored; /* include what ignore files exclude */
    guint threads;
    /* Called for each file and directory, on any thread. FALSE ends the walk. */
    gboolean (*visit)(const HfWalkFile *file, gpointer data);
    gpointer data;
} HfWalkOptions;

typedef struct HfWalkCounts {
    guint64 files, folders, unreadable;
} HfWalkCounts;

/* FALSE at the deadline or if the call was cancelled. */
gboolean hf_directory_walk(const HfFileWalls *walls, const HfFilePlace *place,
                           const HfWalkOptions *options, const HfDeadline *deadline,
                           HfWalkCounts *ret_counts, GError **error);
