/* SPDX-License-Identifier: Apache-2.0 */
/* Ignore files (.gitignore and .ignore) with git's rules. Each applies to its directory and
 * everything below; ! includes a path again. */
#pragma once

#include <glib.h>

typedef struct HfIgnore HfIgnore; /* immutable, reference counted; includes the rules above */

/* The rules of one file in the directory, on top of those above (may be NULL, not consumed).
 * Invalid lines are skipped. */
HfIgnore *hf_ignore_new(const char *text, gsize length, const char *directory, HfIgnore *above);
HfIgnore *hf_ignore_ref(HfIgnore *ignore);
void hf_ignore_unref(HfIgnore *ignore);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfIgnore, hf_ignore_unref)

/* `path` is absolute and below each directory with rules. NULL ignores nothing. */
gboolean hf_ignore_matches(const HfIgnore *ignore, const char *path, gboolean directory);

/* Adds the ignore files of an open directory. The result is owned and may be `above` again. */
HfIgnore *hf_ignore_read(int directory, const char *path, HfIgnore *above);
