/* SPDX-License-Identifier: Apache-2.0 */
/* Cleans up what an earlier desk left. Stages end with their desk, so there is something to do only
 * if a stage was killed too. */
#pragma once

#include <glib.h>

/* Ends the processes and removes the directories and X sockets of virtual desktops under this
 * runtime directory whose stage is dead. Those of other users, of other runtime directories and of
 * living stages are left alone. Takes at most about two seconds, and almost nothing when there is
 * nothing to do. Returns how many processes and directories it found. */
guint hf_stale_desktops_remove(const char *runtime_dir);
