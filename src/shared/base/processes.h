/* SPDX-License-Identifier: Apache-2.0 */
/* Other processes, as /proc shows them, and signals that cannot hit the wrong one: a process is
 * named by its number together with the time of its start, since numbers are used again. */
#pragma once

#include <glib.h>
#include <sys/types.h>

typedef struct HfProcess {
    pid_t pid, parent, group, session;
    dev_t terminal;   /* that controls it; 0: none */
    pid_t foreground; /* the group that has that terminal now; -1: none */
    char state;       /* 'R', 'S', 'Z', ... */
    guint64 start_time;
} HfProcess;

/* FALSE when there is no such process. */
gboolean hf_process_read(pid_t pid, HfProcess *ret_process);
/* All processes (HfProcess); free with g_array_unref(). */
GArray *hf_processes_list(void);
/* Those that descend from `ancestor`, without itself and without zombies. */
GArray *hf_processes_list_family(pid_t ancestor);

/* The process itself, its parent, and so on up to the first of all. NULL when that cannot be known
 * for sure: it has ended, or the family changes faster than it can be read. */
GArray *hf_process_list_ancestors(const HfProcess *process);

/* The value of a variable in the environment that the process was started with; NULL when there is
 * none, or it is not ours to read. */
char *hf_process_dup_variable(pid_t pid, const char *name);

/* Sends `signal` to each and waits until all have ended; TRUE if they did within `grace_ms`.
 * Stopped ones are woken, so that they hear it. Does not reap. */
gboolean hf_processes_end(const GArray *processes, int signal, int grace_ms);
