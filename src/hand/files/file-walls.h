/* SPDX-License-Identifier: Apache-2.0 */
/* The directories that a call may work in, opened: what the desk has sent with it
 * (desk/guard/policy/walls.h). Paths are text and change their meaning; a descriptor does not. */
#pragma once

#include <jansson.h>

#include "shared/base/types.h"

/* One allowed directory. */
typedef struct HfWallDirectory {
    char *named; /* as the agreement or the grant has it */
    char *real;  /* where it is */
    int fd;      /* O_PATH */
} HfWallDirectory;

typedef struct HfFileWalls {
    GPtrArray *lists;  /* of GPtrArray of HfWallDirectory: one of each list must hold a path */
    GPtrArray *denied; /* of HfPathGlob */
    json_t *allowed;   /* the lists as they were sent */
    guint64 most_bytes;
    char *home; /* what ~ is */
} HfFileWalls;

/* The home that the desk means by ~: a hand can have another one. Before any thread. */
void hf_file_walls_set_home(const char *home);

/* INTERNAL without walls: a tool that works in files never goes without them. */
HfFileWalls *hf_file_walls_open(const json_t *walls, GError **error);
void hf_file_walls_free(HfFileWalls *walls);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfFileWalls, hf_file_walls_free)

/* Whether the owner has denied the path, or one that it lies in. */
gboolean hf_file_walls_deny(const HfFileWalls *walls, const char *path);

/* The patterns that can fit anything below the real directory, for those who look at many paths
 * there. Borrowed from the walls; the array is owned. */
GPtrArray *hf_file_walls_denied_below(const HfFileWalls *walls, const char *directory);
gboolean hf_file_walls_deny_by(const GPtrArray *denied, const char *path);

/* FORBIDDEN, naming the directories that are allowed. Returns FALSE. */
gboolean hf_file_walls_fail_outside(const HfFileWalls *walls, const char *path, GError **error);
gboolean hf_file_walls_fail_denied(const char *path, GError **error);
