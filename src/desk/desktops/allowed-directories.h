/* SPDX-License-Identifier: Apache-2.0 */
/* The directories that file tools may use, opened by the desk for a hand that cannot see them: it
 * may be in a container that was built before they were allowed. */
#pragma once

#include "shared/base/json.h"
#include "shared/wire/frame.h"

/* Opens the directories of the walls of a call (desk/guard/steps/risk.c) and adds them to the
 * frame. Returns one entry for each path of each list: {"fd": its place in the frame, "real": its
 * path without links}; null: a directory of the system, of which the hand has its own; false: there
 * is nothing that may be used. LIMIT_EXCEEDED above HF_LIMIT_FRAME_FDS directories. */
json_t *hf_allowed_directories_open(const json_t *walls, HfFrame *frame, GError **error);

/* The path without links. NULL if a link on the way lies in a directory that programs on a desktop
 * may write to: it could be theirs, and lead anywhere. `places`: lists of such directories. */
char *hf_allowed_directory_dup_real(const char *path, const json_t *places);

/* Whether a container has its own: /, /run, /etc, /usr, and all below /proc, /sys and /dev. */
gboolean hf_allowed_directory_is_systems(const char *real);
