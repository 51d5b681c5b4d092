/* SPDX-License-Identifier: Apache-2.0 */
/* Changes of files as pairs: what is there, and what shall be there. Everything else comes of that:
 * the difference that is shown, what is kept, how it is taken back, what is done on the disk
 * (apply-changes.h). Nothing here writes. */
#pragma once

#include <jansson.h>

#include "hand/files/file-place.h"

typedef struct HfFileState {
    gboolean there, directory;
    GBytes *bytes; /* of a file */
    char *sha256;
    guint mode; /* with its kind; 0: what new files get */
} HfFileState;

typedef struct HfFileChange {
    HfFilePlace *place;
    HfFileState before, after;
    gboolean if_empty; /* a directory that goes only if nothing is in it */
} HfFileChange;

typedef struct HfFileChanges {
    const HfFileWalls *walls;
    GPtrArray *list;     /* of HfChange, by when they were first named */
    GHashTable *by_path; /* real path → HfChange */
    gsize bytes;         /* that are to be written */
    gboolean make_directories;
    GPtrArray *made; /* paths of directories that were made on the way: by apply */
    GPtrArray *left; /* of those that were to go and could not: by apply */
} HfFileChanges;

HfFileChanges *hf_file_changes_new(const HfFileWalls *walls);
void hf_file_changes_free(HfFileChanges *changes);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfFileChanges, hf_file_changes_free)

/* What is there now, read once; each further question about the same place is about what it shall
 * be by then. Refuses what may not be written. Borrowed. */
HfFileChange *hf_file_changes_get(HfFileChanges *changes, const char *path, GError **error);

/* LIMIT_EXCEEDED. Consumes the bytes. */
gboolean hf_file_change_set_file(HfFileChanges *changes, HfFileChange *change, GBytes *take_bytes,
                                 guint mode, GError **error);
gboolean hf_file_change_set_directory(HfFileChanges *changes, HfFileChange *change, GError **error);
void hf_file_change_set_absent(HfFileChange *change);
/* Whether anything is to be done. */
gboolean hf_file_change_counts(const HfFileChange *change);
/* "create", "change", "delete" or "none". */
const char *hf_file_change_name(const HfFileChange *change);

/* Keeps what is to be replaced or removed; FALSE with the reason why that cannot be taken back. */
gboolean hf_file_changes_keep(const HfFileChanges *changes, GError **error);

/* Unified, without secrets; bounded. */
char *hf_file_changes_diff(const HfFileChanges *changes, gboolean *ret_truncated);
/* [{path, action, bytes?, sha256?, before_sha256?}] */
json_t *hf_file_changes_to_json(const HfFileChanges *changes);
/* The call that takes them back, in the form of hf_call_take_undo. */
json_t *hf_file_changes_undo(const HfFileChanges *changes);
