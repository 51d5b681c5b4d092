/* SPDX-License-Identifier: Apache-2.0 */
/* Files that say what does not count: .gitignore and .ignore, each for its directory and all below,
 * with ! for what counts all the same. The rules are those of git. */
#pragma once

#include <glib.h>

typedef struct HfIgnore HfIgnore; /* immutable, counted; with those above it */

/* The rules of one file in the directory, on top of those above (may be NULL, is not consumed).
 * What cannot be read as a rule is none. */
HfIgnore *hf_ignore_new(const char *text, gsize length, const char *directory, HfIgnore *above);
HfIgnore *hf_ignore_ref(HfIgnore *ignore);
void hf_ignore_unref(HfIgnore *ignore);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfIgnore, hf_ignore_unref)

/* `path` is absolute and below each directory that has rules. NULL ignores nothing. */
gboolean hf_ignore_matches(const HfIgnore *ignore, const char *path, gboolean directory);

/* With the ignore files of an open directory; what it gives is owned and may be `above` again. */
HfIgnore *hf_ignore_read(int directory, const char *path, HfIgnore *above);
