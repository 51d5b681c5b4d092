/* SPDX-License-Identifier: Apache-2.0 */
/* How much evidence is kept: by age and by size, the oldest first, and never a run that goes on. */
#pragma once

#include <glib.h>

typedef struct HfRunPrune {
    const char *root;
    gint64 now_ms;
    int max_age_days;
    guint64 max_bytes;
    /* Whether the run in this folder goes on; NULL: none does. */
    gboolean (*is_running)(const char *path, gpointer data);
    gpointer data;
    guint most; /* runs to remove at most in one go; 0: any number */
} HfRunPrune;

/* Returns how many runs it has removed. `ret_bytes` (may be NULL): what is left. */
guint hf_runs_prune(const HfRunPrune *prune, guint64 *ret_bytes);
/* What a run takes on the disk; files with two names count once. */
guint64 hf_run_measure(const char *path);
