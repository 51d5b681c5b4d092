/* SPDX-License-Identifier: Apache-2.0 */
/* Starting a program that is nobody's child: it outlives us, and never becomes a zombie of ours. */
#pragma once

#include <glib.h>
#include <sys/types.h>

typedef struct HfDetached {
    char *const *arguments;   /* the first is an absolute path */
    char *const *environment; /* NAME=value */
    const char *directory;
} HfDetached;

/* Returns its real pid, which is also its session; `ret_process_fd` stands for exactly this process
 * and becomes readable when it ends (close it). 0 with APP_NOT_FOUND or PRECONDITION_FAILED when
 * the program could not be executed. */
pid_t hf_spawn_detached(const HfDetached *what, int *ret_process_fd, GError **error);
