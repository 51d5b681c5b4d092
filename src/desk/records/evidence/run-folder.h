/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the folder of a run: 0700, files 0600, never through a link, and nothing outside of it. */
#pragma once

#include <glib.h>

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
