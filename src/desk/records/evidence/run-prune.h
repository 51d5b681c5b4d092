/* SPDX-License-Identifier: Apache-2.0 */
/* Removes old evidence by age and total size, the oldest first, but never a running run. */
#pragma once

#include <glib.h>

typedef struct HfRunPrune {
    const char *root;
    gint64 now_ms;
    int max_age_days;
    guint64 max_bytes;
    /* Whether the run in this folder is running; NULL: none is. */
    gboolean (*is_running)(const char *path, gpointer data);
    gpointer data;
    guint most; /* runs to remove at most; 0: no limit */
} HfRunPrune;

/* Returns the number of removed runs. `ret_bytes` (may be NULL): what is left. */
guint hf_runs_prune(const HfRunPrune *prune, guint64 *ret_bytes);
/* Disk usage of a run; hard links count once. */
guint64 hf_run_measure(const char *path);
