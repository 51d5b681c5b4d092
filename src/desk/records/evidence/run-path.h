/* SPDX-License-Identifier: Apache-2.0 */
/* Where the evidence of a run is: runs/YYYY-MM-DD/NAME/ in the data directory. A run id is any
 * text; NAME is always one plain word, so it cannot leave its directory. */
#pragma once

#include <glib.h>

/* The directory of all runs; does not create it. */
char *hf_runs_dup_root(void);
/* NAME for a run: its id if that is a plain word, else a cleaned prefix with a hash of the id, so
 * that no two ids share a name. */
char *hf_run_dup_name(const char *run_id);
/* YYYY-MM-DD in local time. */
char *hf_run_dup_day(gint64 time_ms);
/* Whether `name` is YYYY-MM-DD. */
gboolean hf_run_is_day(const char *name);
