/* SPDX-License-Identifier: Apache-2.0 */
/* The directories that a call may work in, opened. The desk sends them with the call
 * (desk/guard/steps/risk.c). A path can change its meaning; a descriptor cannot. */
#pragma once

#include <jansson.h>

#include "shared/base/types.h"

typedef struct HfWallDirectory {
    char *named; /* as in the policy or the grant */
    char *real;  /* its real path */
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

/* INTERNAL without walls: a file tool never runs without them. */
HfFileWalls *hf_file_walls_open(const json_t *walls, GError **error);
void hf_file_walls_free(HfFileWalls *walls);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfFileWalls, hf_file_walls_free)

/* Whether the owner denies the path or a directory above it. */
gboolean hf_file_walls_deny(const HfFileWalls *walls, const char *path);

/* The patterns that can match anything below the real directory, for callers that check many paths
 * there. The patterns are borrowed, the array is owned. */
GPtrArray *hf_file_walls_denied_below(const HfFileWalls *walls, const char *directory);
gboolean hf_file_walls_deny_by(const GPtrArray *denied, const char *path);

/* FORBIDDEN, with the allowed directories. Returns FALSE. */
gboolean hf_file_walls_fail_outside(const HfFileWalls *walls, const char *path, GError **error);
gboolean hf_file_walls_fail_denied(const char *path, GError **error);
