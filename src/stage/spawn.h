/* SPDX-License-Identifier: Apache-2.0 */
/* Starts a child of the stage. */
#pragma once

#include <glib.h>
#include <sys/types.h>

typedef struct HfSpawn {
    const char *const *arguments; /* the program is searched in PATH */
    char *const *environment;
    int output; /* becomes its standard output and error; -1: the stage's standard error */
    int pass;   /* becomes its descriptor 3; -1: nothing */
} HfSpawn;

/* The child has a clean signal mask and no other descriptors, and gets SIGTERM when the stage
 * dies. Returns its pid, or 0: PRECONDITION_FAILED when the program is not installed. */
pid_t hf_spawn(const HfSpawn *what, GError **error);
