/* SPDX-License-Identifier: Apache-2.0 */
/* Patterns for paths: * and ? stay within a name, ** goes through directories, [a-z] and [!a] are
 * one character, {a,b} is either, \ takes away a meaning. A pattern is held against a whole path.
 */
#pragma once

#include <glib.h>

typedef enum HfGlobFlags {
    HF_GLOB_PLAIN = 0,
    HF_GLOB_FOLD = 1 << 0,   /* without regard to case and to how accents are composed */
    HF_GLOB_BRACES = 1 << 1, /* {a,b}; else braces are themselves */
} HfGlobFlags;

typedef struct HfPathGlob HfPathGlob;

/* INVALID_PARAMS when it is too long or its braces become too much. */
HfPathGlob *hf_path_glob_new(const char *pattern, HfGlobFlags flags, GError **error);
void hf_path_glob_free(HfPathGlob *glob);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfPathGlob, hf_path_glob_free)
gboolean hf_path_glob_matches(const HfPathGlob *glob, const char *path);

/* For many patterns on one path: all made with HF_GLOB_FOLD, the path folded once. */
char *hf_path_glob_fold(const char *path);
gboolean hf_path_glob_matches_folded(const HfPathGlob *glob, const char *folded);
/* Whether it could match anything below the directory: FALSE is certain. */
gboolean hf_path_glob_can_fit_below(const HfPathGlob *glob, const char *directory);

/* Whether it is about a directory with all that is in it: who does not enter that need not ask
 * again. */
gboolean hf_path_glob_is_deep(const HfPathGlob *glob);
void hf_path_glob_set_deep(HfPathGlob *glob);

/* The matching itself, of bytes: takes time in proportion to both lengths multiplied, and at most
 * to the depth of the path besides. */
gboolean hf_path_glob_match_text(const char *pattern, const char *path);
