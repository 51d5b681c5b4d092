/* SPDX-License-Identifier: Apache-2.0 */
/* Starts a process of ours, with the descriptors that it is to inherit. */
#pragma once

#include <sys/types.h>

/* Passes the descriptors on under the numbers 3, 4 and so on; -1: none. In a session of its own.
 * Returns 0 or an errno. */
#define HF_MOST_PASSED 5
int hf_child_process_spawn(char *const *command, char *const *environment,
                           const int descriptors[HF_MOST_PASSED], pid_t *ret_pid);
