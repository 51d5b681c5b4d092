/* SPDX-License-Identifier: Apache-2.0 */
/* Names and relations of processes, from /proc. A process may end at any moment, so every answer
 * may be "unknown", and nothing here is an error. */
#pragma once

#include <glib.h>
#include <sys/types.h>

/* The name of the executable ("python3.11"); NULL when the process is gone or cannot be read. */
char *hf_process_dup_name(pid_t pid);
/* The program's arguments; NULL when unknown. */
char **hf_process_dup_arguments(pid_t pid);
/* Private memory in kilobytes, without libraries and files. 0: unknown. */
guint64 hf_process_private_kb(pid_t pid);
gboolean hf_process_get_owner(pid_t pid, uid_t *ret_uid);
/* Whether `pid` is `ancestor` or descends from it: by the chain of parents, or by the session where
 * a parent has exited. */
gboolean hf_process_descends(pid_t pid, pid_t ancestor);
/* Whether it is a process of Handfast, or an ancestor of this process. */
gboolean hf_process_is_ours(pid_t pid);

/* A pidfd, which becomes readable when the process exits; -1 when it is gone. */
int hf_process_open(pid_t pid);
gboolean hf_process_signal(int process_fd, int signal_number);
