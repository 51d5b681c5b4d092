/* SPDX-License-Identifier: Apache-2.0 */
/* The directories that a call may work in, opened. The desk sends them with the call
 * (desk/desktops/allowed-directories.h). A path can change its meaning; a descriptor cannot. */
#pragma once

#include <jansson.h>

#include "shared/base/types.h"

typedef struct HfWallDirectory {
    char *named; /* as in the policy or the grant */
    char *real;  /* its real path, as the desk knows it */
    char *shown; /* as /proc shows it here */
    int fd;      /* O_PATH */
} HfWallDirectory;

typedef struct HfFileWalls {
    GPtrArray *lists;  /* of GPtrArray of HfWallDirectory: each list has to contain a path */
    GPtrArray *denied; /* of HfPathGlob */
    json_t *allowed;   /* the lists as the desk sent them */
    guint64 most_bytes;
    char *home; /* the meaning of ~ */
} HfFileWalls;

/* The home that ~ means for the desk: a hand can have another one. Call before any thread starts.
 */
void hf_file_walls_set_home(const char *home);

/* INTERNAL without walls: a file tool never runs without them. Walls that came without descriptors
 * are opened here. */
HfFileWalls *hf_file_walls_open(const json_t *walls, GError **error);
void hf_file_walls_free(HfFileWalls *walls);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfFileWalls, hf_file_walls_free)

/* The directory of the longest path that contains this one; NULL: none does. `ret_rest`: the part
 * of the path below it, "" for itself. */
const HfWallDirectory *hf_file_walls_find_directory(const HfFileWalls *walls, const char *path,
                                                    const char **ret_rest);
/* The part of `path` below `directory`: "" for itself, NULL if it lies elsewhere. */
const char *hf_file_walls_rest_below(const char *directory, const char *path);
/* The path without links. Those in the directories of the walls are read there: programs here may
 * see something else at the same path. NULL if there are too many links. */
char *hf_file_walls_dup_real(const HfFileWalls *walls, const char *path);

/* Whether the owner denies the path or a directory above it. */
gboolean hf_file_walls_deny(const HfFileWalls *walls, const char *path);

/* The patterns that can match anything below the real directory, for callers that check many paths
 * there. The patterns are borrowed, the array is owned. */
GPtrArray *hf_file_walls_denied_below(const HfFileWalls *walls, const char *directory);
gboolean hf_file_walls_deny_by(const GPtrArray *denied, const char *path);

/* FORBIDDEN, with the allowed directories. Returns FALSE. */
gboolean hf_file_walls_fail_outside(const HfFileWalls *walls, const char *path, GError **error);
gboolean hf_file_walls_fail_denied(const char *path, GError **error);
