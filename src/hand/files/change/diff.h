/* SPDX-License-Identifier: Apache-2.0 */
/* The difference of two texts in unified format. */
#pragma once

#include <glib.h>

/* One side of a difference. A side without text that is not binary does not exist (/dev/null). */
typedef struct HfDiffSide {
    const char *path;
    const char *text; /* valid UTF-8 */
    gboolean binary;
} HfDiffSide;

/* Appends the difference with three lines of context; nothing for equal texts, one line for binary
 * files. */
void hf_diff_append(GString *out, const HfDiffSide *before, const HfDiffSide *after);

/* A run of lines of one text that became a run of the other. */
typedef struct HfHunk {
    guint before, before_count; /* lines from 0 */
    guint after, after_count;
} HfHunk;

/* `before` and `after` hold a number per line that equal lines share. Returns the shortest edit
 * script, unless it is longer than HF_LIMIT_DIFF_EDITS: then one hunk covers everything that
 * differs. */
GArray *hf_diff_hunks(const guint *before, guint before_count, const guint *after,
                      guint after_count);
