/* SPDX-License-Identifier: Apache-2.0 */
/* Orphans of a stage that was killed become children of the desk, instead of the first process,
 * where nobody could tell them from the owner's programs. Those of a virtual desktop are ended;
 * those on the user's own display may stay, as they do when that desktop is removed. */
#pragma once

#include <glib.h>
#include <sys/types.h>

/* Makes this process adopt them, and deals with them on a thread of its own. */
void hf_adopted_processes_begin(void);
void hf_adopted_processes_end(void);

/* Around the start of a child of our own, which is not adopted; 0: it could not be started. */
void hf_adopted_processes_lock(void);
void hf_adopted_processes_unlock(pid_t own_child);
/* Called after it was reaped. */
void hf_adopted_processes_forget(pid_t own_child);
