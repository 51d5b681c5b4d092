/* SPDX-License-Identifier: Apache-2.0 */
/* Where the evidence of a run is, runs/YYYY-MM-DD/NAME/ in the data directory, and the writing of
 * it: 0700, files 0600, never through a link, and nothing outside of it. A run id is any text; NAME
 * is always one plain word, so it cannot leave its directory. */
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

typedef struct HfRunFolder HfRunFolder;

/* Opens the folder of that run under `root`, whichever day it began, or creates one for the day of
 * `time_ms`. STORAGE_FAILED. */
HfRunFolder *hf_run_folder_ensure(const char *root, const char *run_id, gint64 time_ms,
                                  GError **error);
void hf_run_folder_free(HfRunFolder *folder);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfRunFolder, hf_run_folder_free)

const char *hf_run_folder_get_path(const HfRunFolder *folder);
/* Whether it existed before. */
gboolean hf_run_folder_is_old(const HfRunFolder *folder);

/* `name` is one of ours: "env.json", "screenshots/003_after.jpg". Creates its folder. All or
 * nothing. */
gboolean hf_run_folder_write(HfRunFolder *folder, const char *name, const void *data, gsize size,
                             GError **error);
/* A hard link: another name for an existing file. */
gboolean hf_run_folder_link(HfRunFolder *folder, const char *from, const char *to, GError **error);
/* Appends a line and a newline; removes it again if it was written only in part. */
gboolean hf_run_folder_append(HfRunFolder *folder, const char *name, const char *line,
                              GError **error);
