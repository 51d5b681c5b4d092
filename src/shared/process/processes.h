/* SPDX-License-Identifier: Apache-2.0 */
/* Other processes, as /proc shows them, and signals that cannot reach the wrong one: a process is
 * identified by its pid and its start time, because pids are reused. */
#pragma once

#include <glib.h>
#include <sys/types.h>

typedef struct HfProcess {
    pid_t pid, parent, group, session;
    dev_t terminal;   /* the controlling terminal; 0: none */
    pid_t foreground; /* the foreground process group of that terminal; -1: none */
    char state;       /* 'R', 'S', 'Z', ... */
    guint64 start_time;
} HfProcess;

/* FALSE when there is no such process. */
gboolean hf_process_read(pid_t pid, HfProcess *ret_process);
/* All processes (HfProcess); free with g_array_unref(). */
GArray *hf_processes_list(void);
/* The descendants of `ancestor`, without itself and without zombies. */
GArray *hf_processes_list_family(pid_t ancestor);

/* The process, its parent, and so on up to the first. NULL when that is uncertain: the process has
 * ended, or the family changes faster than it can be read. */
GArray *hf_process_list_ancestors(const HfProcess *process);

/* The text of a small file in /proc/PID, such as "status"; NULL when it cannot be read. */
char *hf_process_dup_file(pid_t pid, const char *name);
/* NULL when it cannot be read. */
char *hf_process_dup_last_argument(pid_t pid);
/* The pid here of the process that has the pid `inner` in the namespace whose first process is
 * `init`; 0: there is none. */
pid_t hf_process_find_inner(pid_t init, pid_t inner);

/* A variable in the environment that the process was started with; NULL: not set, or not readable.
 */
char *hf_process_dup_variable(pid_t pid, const char *name);

/* Sends `signal` to each and waits until all have ended; TRUE if they did within `grace_ms`.
 * Stopped processes are continued, so that they get it. Does not reap. */
gboolean hf_processes_end(const GArray *processes, int signal, int grace_ms);

/* The last argument of the first process of a namespace that a stage has made, before its owner. */
#define HF_NAMESPACE_OWNER "--owner="

/* Whether the process lives in a PID namespace below ours. FALSE also when it has ended. */
gboolean hf_process_is_in_inner_namespace(pid_t pid);
/* The first processes (HfProcess) of the namespaces that belong to `owner`; NULL: to anybody. */
GArray *hf_process_namespaces_list(const char *owner);
/* A pidfd of the first process of the namespace that `stage` has made; -1: there is none. */
int hf_process_namespace_open(pid_t stage);
