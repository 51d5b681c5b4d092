/* SPDX-License-Identifier: Apache-2.0 */
/* What an earlier desk could not clear away: stages end on their own when their desk does, so
 * this finds something only where a stage was killed as well. */
#pragma once

#include <glib.h>

/* Ends the processes and removes the directories and X sockets of virtual desktops under this
 * runtime directory whose stage is dead. Those of other users, of other runtime directories and of
 * living stages are left alone. Takes at most about two seconds, next to nothing when there is
 * nothing to do. Returns how many processes and directories there were. */
guint hf_stale_desktops_remove(const char *runtime_dir);
