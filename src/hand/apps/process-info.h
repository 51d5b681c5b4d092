/* SPDX-License-Identifier: Apache-2.0 */
/* What an application's processes are called and how they belong together, as /proc tells it. A
 * process may end at any moment, so every answer may be "unknown"; nothing here is an error. */
#pragma once

#include <glib.h>
#include <sys/types.h>

/* The name of the executable ("python3.11"); NULL when the process is gone or not to be seen. */
char *hf_process_dup_name(pid_t pid);
/* The program's arguments; NULL when unknown. */
char **hf_process_dup_arguments(pid_t pid);
/* Memory that is its own, in kilobytes: not that of libraries and files. 0: unknown. */
guint64 hf_process_private_kb(pid_t pid);
gboolean hf_process_get_owner(pid_t pid, uid_t *ret_uid);
/* Whether `pid` was started by `ancestor`, or by something that it started: by the chain of
 * parents, or by the session where a link of the chain has ended. */
gboolean hf_process_descends(pid_t pid, pid_t ancestor);
/* Whether it is this program, in any of its processes, or one that this process runs under. */
gboolean hf_process_is_ours(pid_t pid);

/* A descriptor that stands for exactly this process and becomes readable when it ends; -1 when
 * it is gone. */
int hf_process_open(pid_t pid);
gboolean hf_process_signal(int process_fd, int signal_number);
