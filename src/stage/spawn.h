/* SPDX-License-Identifier: Apache-2.0 */
/* Starts a child of the stage. */
#pragma once

#include <glib.h>
#include <sys/types.h>

#include "shared/base/json.h"

/* Ends programs first, while their X server still lives, so that they can save; then the `servers`
 * (0: none); then kills until no descendant of this process is left. Returns how many are left. */
guint hf_shutdown_run(const pid_t *servers, gsize count);
/* Ends one child: SIGTERM, then SIGKILL. */
void hf_shutdown_end_child(pid_t pid, int grace_ms);

typedef struct HfSpawn {
    const char *const *arguments; /* the program is searched in PATH */
    char *const *environment;
    int output; /* becomes its standard output and error; -1: the stage's standard error */
    int pass;   /* becomes its descriptor 3; -1: nothing */
} HfSpawn;

/* The child has a clean signal mask and no other descriptors, and gets SIGTERM when the stage
 * dies. Returns its pid, or 0: PRECONDITION_FAILED when the program is not installed. */
pid_t hf_spawn(const HfSpawn *what, GError **error);
/* The command of a hand with the `arguments` of the desk's order. Free with g_free(); the words
 * belong to the order. */
const char **hf_spawn_new_hand_command(const json_t *order);
