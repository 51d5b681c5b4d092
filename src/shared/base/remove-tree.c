/* SPDX-License-Identifier: Apache-2.0 */
/* Removes from the leaves upwards. Directories that their owner cannot write, as package caches
 * have them, are made writable and tried again. */
#include "shared/base/remove-tree.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <sys/stat.h>

#define MOST_DESCRIPTORS 32

static int remove_entry(const char *path, const struct stat *info, int type, struct FTW *position)
{
    (void)info, (void)type, (void)position;
    remove(path); /* the removal of the parent notices what stays */
    return 0;
}

static int make_directory_writable(const char *path, const struct stat *info, int type,
                                   struct FTW *position)
{
    (void)info, (void)position;
    if (type == FTW_D || type == FTW_DNR)
        chmod(path, 0700);
    return 0;
}

static gboolean is_path_gone(const char *path)
{
    struct stat info;
    return lstat(path, &info) < 0 && errno == ENOENT;
}

gboolean hf_remove_tree(const char *path)
{
    /* Each further attempt reaches at least one level that could not be read before. */
    for (int tries = 0; tries < 8 && !is_path_gone(path); tries++) {
        if (tries > 0)
            nftw(path, make_directory_writable, MOST_DESCRIPTORS, FTW_PHYS | FTW_MOUNT);
        nftw(path, remove_entry, MOST_DESCRIPTORS, FTW_PHYS | FTW_MOUNT | FTW_DEPTH);
    }
    return is_path_gone(path);
}
