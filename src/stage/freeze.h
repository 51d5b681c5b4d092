/* SPDX-License-Identifier: Apache-2.0 */
/* Stops the programs of a desktop where they are, and lets them go on. */
#pragma once

#include <glib.h>
#include <sys/types.h>

/* What must go on: the servers of the desktop (count pids; 0: none) and its hand. With `keepers`,
 * also what serves the user of a display after its hand, such as the owner of the clipboard. */
typedef struct HfFreezeExempt {
    const pid_t *servers;
    gsize count;
    pid_t hand;
    gboolean keepers;
} HfFreezeExempt;

/* Sends SIGSTOP to every program on this stage and looks until all have stopped. Returns how many
 * still run; 0: verified. */
guint hf_freeze_programs(const HfFreezeExempt *exempt);
/* Ends every program on this stage, and all in the namespaces of `owner`
 * (hf_process_namespaces_list; NULL: none). Returns how many are left; 0: verified. */
guint hf_end_programs(const HfFreezeExempt *exempt, const char *owner);
/* Sends SIGCONT to every program on this stage. */
void hf_thaw_programs(void);
