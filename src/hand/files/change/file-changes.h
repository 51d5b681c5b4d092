/* SPDX-License-Identifier: Apache-2.0 */
/* File changes as pairs of states: what is there and what shall be there. The diff, the undo and
 * the work on disk (apply-changes.h) derive from these pairs. Nothing here writes files. */
#pragma once

#include <jansson.h>

#include "hand/files/file-place.h"

typedef struct HfFileState {
    gboolean there, directory;
    GBytes *bytes; /* files only */
    char *sha256;
    guint mode; /* with the file type bits; 0: the default for new files */
} HfFileState;

typedef struct HfFileChange {
    HfFilePlace *place;
    HfFileState before, after;
    gboolean if_empty; /* remove a directory only if it is empty */
} HfFileChange;

typedef struct HfFileChanges {
    const HfFileWalls *walls;
    GPtrArray *list;     /* of HfFileChange, in the order in which they were first named */
    GHashTable *by_path; /* real path → HfFileChange */
    gsize bytes;         /* to be written */
    gboolean make_directories;
    GPtrArray *made; /* set by apply: paths of directories that it created on the way */
    GPtrArray *left; /* set by apply: directories that could not be removed */
} HfFileChanges;

HfFileChanges *hf_file_changes_new(const HfFileWalls *walls);
void hf_file_changes_free(HfFileChanges *changes);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfFileChanges, hf_file_changes_free)

/* Reads the current state once. Later calls for the same path return the same change, with its
 * planned state. Fails if the path may not be written. Borrowed. */
HfFileChange *hf_file_changes_get(HfFileChanges *changes, const char *path, GError **error);

/* LIMIT_EXCEEDED. */
gboolean hf_file_change_set_file(HfFileChanges *changes, HfFileChange *change, GBytes *take_bytes,
                                 guint mode, GError **error);
gboolean hf_file_change_set_directory(HfFileChanges *changes, HfFileChange *change, GError **error);
void hf_file_change_set_absent(HfFileChange *change);
/* Whether the change has any effect. */
gboolean hf_file_change_counts(const HfFileChange *change);

/* Stores the contents that will be replaced or removed. FALSE with the reason why the change cannot
 * be undone. */
gboolean hf_file_changes_keep(const HfFileChanges *changes, GError **error);

/* Unified diff, without secrets, bounded in size. */
char *hf_file_changes_diff(const HfFileChanges *changes, gboolean *ret_truncated);
/* [{path, action, bytes?, sha256?, before_sha256?}] */
json_t *hf_file_changes_to_json(const HfFileChanges *changes);
/* The call that undoes the changes, in the form of hf_call_take_undo. */
json_t *hf_file_changes_undo(const HfFileChanges *changes);
