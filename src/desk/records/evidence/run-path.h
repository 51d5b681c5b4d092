/* SPDX-License-Identifier: Apache-2.0 */
/* Where the evidence of a run is: runs/YYYY-MM-DD/NAME/ in the data directory. Run ids are text of
 * callers; whatever they are, the name is one plain word that stays in its directory. */
#pragma once

#include <glib.h>

/* The directory that all runs are in; only names it. */
char *hf_runs_dup_root(void);
/* The directory's name for a run: its id if that is a plain word, else what is plain of it with a
 * mark made from the whole, so that no two ids share a name. */
char *hf_run_dup_name(const char *run_id);
/* YYYY-MM-DD in local time. */
char *hf_run_dup_day(gint64 time_ms);
/* Whether `name` is YYYY-MM-DD. */
gboolean hf_run_is_day(const char *name);
