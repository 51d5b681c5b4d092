/* SPDX-License-Identifier: Apache-2.0 */
/* Glob patterns in two forms. A name (of a program, a window, a host): * and ? match anything, and
 * the case of ASCII letters is ignored. A path: * and ? stay within one name, ** crosses
 * directories, [a-z] and [!a] match one character, {a,b} is a choice, and \ takes away a special
 * meaning. A pattern always has to match the whole text. */
#pragma once

#include <glib.h>

/* A name, in UTF-8 or plain bytes; nothing matches NULL. Takes time in proportion to both lengths
 * multiplied, whatever the pattern. */
gboolean hf_glob_matches(const char *pattern, const char *text);

typedef enum HfGlobFlags {
    HF_GLOB_PLAIN = 0,
    HF_GLOB_FOLD = 1 << 0,   /* ignores case and how accents are composed */
    HF_GLOB_BRACES = 1 << 1, /* {a,b} is a choice; without it a brace is just a character */
} HfGlobFlags;

typedef struct HfPathGlob HfPathGlob;

/* INVALID_PARAMS when it is too long or its braces expand to too many patterns. */
HfPathGlob *hf_path_glob_new(const char *pattern, HfGlobFlags flags, GError **error);
void hf_path_glob_free(HfPathGlob *glob);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfPathGlob, hf_path_glob_free)
gboolean hf_path_glob_matches(const HfPathGlob *glob, const char *path);

/* For many patterns and one path: all were made with HF_GLOB_FOLD, and the path is folded once. */
char *hf_path_glob_fold(const char *path);
gboolean hf_path_glob_matches_folded(const HfPathGlob *glob, const char *folded);
/* FALSE: it certainly matches nothing below the directory. */
gboolean hf_path_glob_can_fit_below(const HfPathGlob *glob, const char *directory);

/* Whether it covers a directory with everything in it: whoever does not enter that directory need
 * not ask again. */
gboolean hf_path_glob_is_deep(const HfPathGlob *glob);
void hf_path_glob_set_deep(HfPathGlob *glob);

/* One pattern without braces, byte by byte. Takes time in proportion to both lengths multiplied,
 * and at most to the depth of the path besides. */
gboolean hf_path_glob_match_text(const char *pattern, const char *path);
