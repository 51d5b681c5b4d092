/* SPDX-License-Identifier: Apache-2.0 */
/* The directories that the desk opened for a call (desk/desktops/allowed-directories.h), as a part
 * of its walls: "opened", with a list for each one of "directories". An entry is {"fd", "real",
 * "device", "inode"}; null: a directory of the system, opened here; false: nothing may be used. */
#pragma once

#include "shared/base/json.h"

/* Puts the descriptors that came with a message into its walls. `opened`: as the desk sent it. They
 * have to stay open until the call ends. */
void hf_handed_directories_set(json_t *walls, const json_t *opened, const GArray *fds);
/* The walls without descriptors, for what outlives the call. */
json_t *hf_handed_directories_dup_without(const json_t *walls);

/* A copy of an entry's descriptor, or -1. */
int hf_handed_directory_dup_fd(const json_t *entry);
/* Whether programs on this desktop find the same directory at its path. */
gboolean hf_handed_directory_is_seen(const json_t *entry);

/* FORBIDDEN if the path lies in an allowed directory that programs on this desktop do not see. */
gboolean hf_handed_directories_check_seen(const json_t *walls, const char *path, GError **error);
