/* Other processes, as /proc shows them, and signals that cannot hit the wrong one: a process is
 * named by its number together with the time of its start, since numbers are used again. */
#pragma once

#include <glib.h>
#include <sys/types.h>

typedef struct HfProcess {
    pid_t pid, parent, session;
    char state; /* 'R', 'S', 'Z', ... */
    guint64 start_time;
} HfProcess;

/* FALSE when there is no such process. */
gboolean hf_process_read(pid_t pid, HfProcess *ret_process);
/* All processes (HfProcess); free with g_array_unref(). */
GArray *hf_processes_list(void);
/* Those that descend from `ancestor`, without itself and without zombies. */
GArray *hf_processes_list_family(pid_t ancestor);

/* The value of a variable in the environment that the process was started with; NULL when there is
 * none, or it is not ours to read. */
char *hf_process_dup_variable(pid_t pid, const char *name);

/* Sends `signal` to each and waits until all have ended; TRUE if they did within `grace_ms`.
 * Stopped ones are woken, so that they hear it. Does not reap. */
gboolean hf_processes_end(const GArray *processes, int signal, int grace_ms);
