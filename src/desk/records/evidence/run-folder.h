/* SPDX-License-Identifier: Apache-2.0 */
/* One run's folder on the disk, for writing: 0700, files 0600, never through a link, and nothing
 * outside of it. */
#pragma once

#include <glib.h>

typedef struct HfRunFolder HfRunFolder;

/* The folder of that run under `root`: one that is there, on whichever day it began, or a new one
 * of the day of `time_ms`. STORAGE_FAILED. */
HfRunFolder *hf_run_folder_ensure(const char *root, const char *run_id, gint64 time_ms,
                                  GError **error);
void hf_run_folder_free(HfRunFolder *folder);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfRunFolder, hf_run_folder_free)

const char *hf_run_folder_get_path(const HfRunFolder *folder);
/* Whether it was there before. */
gboolean hf_run_folder_is_old(const HfRunFolder *folder);

/* `name` is one of ours: "env.json", "screenshots/003_after.jpg". Its folder is made when missing.
 * Whole or not at all. */
gboolean hf_run_folder_write(HfRunFolder *folder, const char *name, const void *data, gsize size,
                             GError **error);
/* Another name for a file that is there already: it takes no room. */
gboolean hf_run_folder_link(HfRunFolder *folder, const char *from, const char *to, GError **error);
/* Adds a line; the newline is added too. What went in only partly is taken out again. */
gboolean hf_run_folder_append(HfRunFolder *folder, const char *name, const char *line,
                              GError **error);
