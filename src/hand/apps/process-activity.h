/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a program is idle, seen from outside: none of its threads runs, wants to run, or has run
 * since the last look. A program that works on something is not idle, however slow the machine is.
 * One that waits for a timer may be. */
#pragma once

#include <glib.h>
#include <sys/types.h>

typedef struct HfProcessActivity HfProcessActivity;

/* The process and its descendants in the same session (a browser's helpers, but not what runs in a
 * terminal), as they are now. */
HfProcessActivity *hf_process_activity_new(pid_t pid);
void hf_process_activity_free(HfProcessActivity *activity);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfProcessActivity, hf_process_activity_free)

/* TRUE: a thread has run since the last call (or since `new`), or is about to. */
gboolean hf_process_activity_has_worked(HfProcessActivity *activity);

/* TRUE: a thread of this one process runs or is about to. */
gboolean hf_process_is_busy(pid_t pid);
