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

typedef struct HfIgnore HfIgnore; /* immutable, reference counted; includes the rules above */
/* The rules of one file in the directory, on top of those above (may be NULL, not consumed).
 * Invalid lines are skipped. */
HfIgnore *hf_ignore_new(const char *text, gsize length, const char *directory, HfIgnore *above);
HfIgnore *hf_ignore_ref(HfIgnore *ignore);
void hf_ignore_unref(HfIgnore *ignore);
/* `path` is absolute and below each directory with rules. NULL ignores nothing. */
gboolean hf_ignore_matches(const HfIgnore *ignore, const char *path, gboolean directory);
/* Adds the ignore files of an open directory. The result is owned and may be `above` again. */
HfIgnore *hf_ignore_read(int directory, const char *path, HfIgnore *above);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfIgnore, hf_ignore_unref)
