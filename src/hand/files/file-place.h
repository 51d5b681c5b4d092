/* SPDX-License-Identifier: Apache-2.0 */
/* A path, resolved inside the walls. What is checked is what is opened: the place is a descriptor,
 * reached from an allowed directory without following a link or leaving the directory (openat2).
 * Reading and replacing go through that descriptor, never through the path again. */
#pragma once

#include <sys/stat.h>

#include "hand/files/file-walls.h"

typedef struct HfFilePlace {
    char *asked;      /* as requested, absolute */
    char *path;       /* the real path, without links */
    int fd;           /* O_PATH; -1: nothing is there */
    struct stat info; /* of fd */
    int parent;     /* its directory, or the nearest existing one above; -1 for an allowed directory
                       itself, since nothing above it may be used */
    char **missing; /* directories between parent and name that do not exist */
    char *name;     /* in its directory; NULL without a parent */
} HfFilePlace;

/* The path is absolute or begins with ~. Links inside the walls are followed. FORBIDDEN if the path
 * leads outside, is denied, is neither a file nor a directory, or lies on a kernel file system such
 * as /proc. A path where nothing exists is found too: see fd. */
HfFilePlace *hf_file_place_find(const HfFileWalls *walls, const char *path, GError **error);
void hf_file_place_free(HfFilePlace *place);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfFilePlace, hf_file_place_free)

/* The same, but FILE_NOT_FOUND if nothing is there. */
HfFilePlace *hf_file_place_find_existing(const HfFileWalls *walls, const char *path,
                                         GError **error);
gboolean hf_file_place_is_directory(const HfFilePlace *place);

/* Opens it for reading; the caller closes it. -1 with the error. */
int hf_file_place_open(const HfFilePlace *place, GError **error);

/* A regular file's content; LIMIT_EXCEEDED above `most` bytes. */
GBytes *hf_file_place_read(const HfFilePlace *place, guint64 most, GError **error);

/* Whether an open file lies on a kernel file system such as /proc or /sys. */
gboolean hf_file_place_is_kernels(int fd);

/* Reports a system error with the code that fits: FORBIDDEN, STORAGE_FAILED ... Returns FALSE. */
gboolean hf_file_place_fail(const char *what, const char *path, int number, GError **error);
