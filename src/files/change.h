/* Changes of files as pairs: what is there, and what shall be there. Everything else comes of that:
 * the difference that is shown, what is kept, how it is taken back, what is done on the disk
 * (apply.h). Nothing here writes. */
#pragma once

#include <jansson.h>

#include "files/place.h"

typedef struct HfFileState {
    gboolean there, directory;
    GBytes *bytes; /* of a file */
    char *sha256;
    guint mode; /* with its kind; 0: what new files get */
} HfFileState;

typedef struct HfChange {
    HfFilePlace *place;
    HfFileState before, after;
    gboolean if_empty; /* a directory that goes only if nothing is in it */
} HfChange;

typedef struct HfChanges {
    const HfFileWalls *walls;
    GPtrArray *list;     /* of HfChange, by when they were first named */
    GHashTable *by_path; /* real path → HfChange */
    gsize bytes;         /* that are to be written */
    gboolean make_directories;
    GPtrArray *made; /* paths of directories that were made on the way: by apply */
    GPtrArray *left; /* of those that were to go and could not: by apply */
} HfChanges;

HfChanges *hf_changes_new(const HfFileWalls *walls);
void hf_changes_free(HfChanges *changes);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfChanges, hf_changes_free)

/* What is there now, read once; each further question about the same place is about what it shall
 * be by then. Refuses what may not be written. Borrowed. */
HfChange *hf_changes_get(HfChanges *changes, const char *path, GError **error);

/* LIMIT_EXCEEDED. Consumes the bytes. */
gboolean hf_change_set_file(HfChanges *changes, HfChange *change, GBytes *take_bytes, guint mode,
                            GError **error);
gboolean hf_change_set_directory(HfChanges *changes, HfChange *change, GError **error);
void hf_change_set_absent(HfChange *change);
/* Whether anything is to be done. */
gboolean hf_change_counts(const HfChange *change);
/* "create", "change", "delete" or "none". */
const char *hf_change_name(const HfChange *change);

/* Keeps what is to be replaced or removed; FALSE with the reason why that cannot be taken back. */
gboolean hf_changes_keep(const HfChanges *changes, GError **error);

/* Unified, without secrets; bounded. */
char *hf_changes_diff(const HfChanges *changes, gboolean *ret_truncated);
/* [{path, action, bytes?, sha256?, before_sha256?}] */
json_t *hf_changes_to_json(const HfChanges *changes);
/* The call that takes them back, in the form of hf_call_take_undo. */
json_t *hf_changes_undo(const HfChanges *changes);
