/* SPDX-License-Identifier: Apache-2.0 */
/* Starting a child of the stage. */
#pragma once

#include <glib.h>
#include <sys/types.h>

typedef struct HfSpawn {
    const char *const *arguments; /* the program is looked for in PATH */
    char *const *environment;
    int output; /* becomes its standard output and error; -1: the stage's standard error */
    int pass;   /* becomes its descriptor 3; -1: nothing */
} HfSpawn;

/* The child has a clean signal mask, no other descriptors, and is told to end (SIGTERM) when the
 * stage is killed. Returns its pid, or 0: PRECONDITION_FAILED when the program is not there. */
pid_t hf_spawn(const HfSpawn *what, GError **error);
