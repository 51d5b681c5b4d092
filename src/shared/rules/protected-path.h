/* SPDX-License-Identifier: Apache-2.0 */
/* Paths that rules protect, and whether a path of a command, which may hold wildcards, is one. */
#pragma once

#include <glib.h>

/* What is done with a path; a later one includes those before it. */
typedef enum HfPathUse {
    HF_PATH_READ,
    HF_PATH_UNSURE,  /* perhaps written to */
    HF_PATH_WRITTEN, /* changed, created or removed */
    HF_PATH_TREE,    /* whatever an archive or a folder holds is written below it */
} HfPathUse;

/* A path cut into names: without ".", "..", and differences in case. */
typedef struct HfPathNames HfPathNames;

HfPathNames *hf_path_names_new(const char *path);
void hf_path_names_free(HfPathNames *path);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfPathNames, hf_path_names_free)

/* "~/x" is in any home directory, "/x" at the root, and "x/y" anywhere; with a slash at its end it
 * stands for everything below it too. "*" in it matches any name. */
typedef struct HfProtectedPath HfProtectedPath;

HfProtectedPath *hf_protected_path_new(const char *text);
void hf_protected_path_free(HfProtectedPath *protected_path);
gboolean hf_protected_path_matches(const HfProtectedPath *protected_path, const HfPathNames *path,
                                   HfPathUse use);
