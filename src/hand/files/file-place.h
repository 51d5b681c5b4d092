/* SPDX-License-Identifier: Apache-2.0 */
/* A path, found within the walls. What is opened is what was looked at: the place is a descriptor,
 * reached from an allowed directory without passing a link or going above it (openat2), and what is
 * read or replaced is reached from that descriptor and never by the path again. */
#pragma once

#include <sys/stat.h>

#include "hand/files/file-walls.h"

typedef struct HfFilePlace {
    char *asked;      /* as it was asked for, absolute */
    char *path;       /* where it is, without links */
    int fd;           /* O_PATH; -1: nothing is there */
    struct stat info; /* of that */
    int parent;     /* its directory, or the nearest one above that exists; -1: it is allowed itself
                       and nothing of what is above it may be used */
    char **missing; /* directories between that and the name that do not exist; empty: none */
    char *name;     /* in its directory; NULL without a parent */
} HfFilePlace;

/* Absolute, or with ~. Where links stay within the walls they are followed; `path` is where they
 * lead. FORBIDDEN when that is outside, denied, of a kind that is neither a file nor a directory,
 * or on a file system of the kernel's. What does not exist is found as well: see fd. */
HfFilePlace *hf_file_place_find(const HfFileWalls *walls, const char *path, GError **error);
void hf_file_place_free(HfFilePlace *place);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfFilePlace, hf_file_place_free)

/* The same, and FILE_NOT_FOUND when nothing is there. */
HfFilePlace *hf_file_place_find_existing(const HfFileWalls *walls, const char *path,
                                         GError **error);
gboolean hf_file_place_is_directory(const HfFilePlace *place);

/* For reading. The caller closes it; -1 with the reason. */
int hf_file_place_open(const HfFilePlace *place, GError **error);

/* The content of a regular file; LIMIT_EXCEEDED when it has more than `most` bytes. */
GBytes *hf_file_place_read(const HfFilePlace *place, guint64 most, GError **error);

/* Whether an open file is on one of the kernel's own file systems, which are no place to work in.
 */
gboolean hf_file_place_is_kernels(int fd);

/* An error of the system, with the code that fits: FORBIDDEN, STORAGE_FAILED ... Returns FALSE. */
gboolean hf_file_place_fail(const char *what, const char *path, int number, GError **error);
