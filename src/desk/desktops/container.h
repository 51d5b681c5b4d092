/* SPDX-License-Identifier: Apache-2.0 */
/* The container of a private desktop: what programs on it can see and reach. bubblewrap builds it,
 * from namespaces of the kernel that need no privileges. */
#pragma once

#include "desk/policy/config/config.h"
#include "shared/base/json.h"
#include "shared/base/types.h"

/* What a container shows of this machine. Paths are absolute and the same inside. */
typedef struct HfContainer {
    const char *home;                  /* the directory that is HOME inside; NULL: the user's own */
    const char *network;               /* "open", "policy", "none" or "host" */
    const json_t *writable, *readable; /* directories */
    const json_t *hidden;              /* directories, invisible even within those */
    const json_t *variables;           /* names that pass although they may be secrets */
    const char *const *kept;           /* what its hand needs of ours; ended by NULL */
} HfContainer;

/* {enabled, own_desktop, home: "own" or "user", network, writable, readable, hidden, variables},
 * from the configuration. */
json_t *hf_container_dup_settings(const HfConfig *config);

/* The command line that runs a program in a container, up to and including "--". bubblewrap gets
 * `info`, `go` and `filter` below as the descriptors `first_pipe` and the two after it. */
GPtrArray *hf_container_new_command(const HfContainer *container, const char *desktop_directory,
                                    const char *program, int first_pipe);

/* On `info` bubblewrap reports the first process inside, then it waits on `go`. From `filter` it
 * reads which system calls are refused. */
typedef struct HfContainerPipes {
    int info[2], go[2], filter;
} HfContainerPipes;

/* FALSE with errno. */
gboolean hf_container_pipes_open(HfContainerPipes *ret_pipes);
/* After bubblewrap was started, or was not: lets it go on, and closes the pipes. Returns the pid of
 * the first process inside; 0 on failure. */
pid_t hf_container_pipes_finish(HfContainerPipes *pipes);

/* Our environment without what only the user's own session may have: keys, tokens, agents, unless
 * the owner has named them for shells. */
char **hf_container_dup_environment(const HfContainer *container);

/* Connects the container to the network, without this machine's loopback. Returns a process that
 * does so until the other end of `exit_descriptor` is closed; 0 on failure. */
pid_t hf_container_connect(pid_t init, int exit_descriptor, int *ret_ready, GError **error);
/* Why there is no network, with `ret_ready` of the above; NULL: there is, or will be soon. */
char *hf_container_dup_network_problem(int ready, int limit_ms);
