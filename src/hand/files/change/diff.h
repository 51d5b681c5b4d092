/* SPDX-License-Identifier: Apache-2.0 */
/* Differences of two texts in the unified form that `patch` takes, and people read. */
#pragma once

#include <glib.h>

/* Appends the difference, with three lines around each change; nothing for equal texts. NULL: there
 * is no such file. Text that is no text (binary) is told in one line. */
typedef struct HfDiffSide {
    const char *path; /* as it is to be named */
    const char *text; /* valid UTF-8; NULL: see above */
    gboolean binary;
} HfDiffSide;

void hf_diff_append(GString *out, const HfDiffSide *before, const HfDiffSide *after);

/* The lines that differ: runs of lines of one text that became runs of the other, in order. */
typedef struct HfHunk {
    guint before, before_count; /* from 0 on */
    guint after, after_count;
} HfHunk;

/* `before` and `after` are numbers that are equal for equal lines. The shortest way from one to the
 * other, unless it is longer than HF_LIMIT_DIFF_EDITS: then what differs is one hunk. */
GArray *hf_diff_hunks(const guint *before, guint before_count, const guint *after,
                      guint after_count);
