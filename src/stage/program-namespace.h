/* SPDX-License-Identifier: Apache-2.0 */
/* The PID namespace of the programs that agents start on somebody's own desktop. */
#pragma once

#include <sys/types.h>

#include "shared/base/json.h"

typedef struct HfProgramNamespace {
    char *owner;       /* see hf_process_namespaces_list() */
    gboolean starting; /* it is not yet known whether it can be had */
    pid_t pid;         /* bubblewrap, which waits for the first process inside; 0: none */
    int channel;       /* to the first process; -1: none */
    int complaints;    /* what bubblewrap writes; -1: none */
    int starts;
    GError *obstacle; /* why there is none */
} HfProgramNamespace;

/* Nothing is started yet. */
void hf_program_namespace_init(HfProgramNamespace *space);
/* Ends no program: the first process stays until the last one has ended. */
void hf_program_namespace_clear(HfProgramNamespace *space);

/* The runtime directory and the display make the owner, so that the next desk that operates this
 * display finds it. */
void hf_program_namespace_start(HfProgramNamespace *space, const char *runtime_dir,
                                const char *display, char *const *environment);
/* When its channel is readable. */
void hf_program_namespace_take(HfProgramNamespace *space);
/* When bubblewrap has ended, and so every program. TRUE: another one may be started. */
gboolean hf_program_namespace_note_end(HfProgramNamespace *space);

/* {available, reason?, suggestion?} */
json_t *hf_program_namespace_describe(const HfProgramNamespace *space);
