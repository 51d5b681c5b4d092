/* SPDX-License-Identifier: Apache-2.0 */
/* posix_spawn() with descriptors and clean signals. */
#include "desk/desktops/child-process.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <unistd.h>

#include "shared/wire/stage-protocol.h"

#define FIRST_UNPASSED (HF_INHERITED_DESCRIPTOR + HF_MOST_PASSED)

/* In its own session: a Ctrl+C in our terminal must not reach the X server before us. */
static void set_spawn_attributes(posix_spawnattr_t *attributes)
{
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_init(attributes);
    posix_spawnattr_setsigmask(attributes, &none);
    posix_spawnattr_setsigdefault(attributes, &all);
    posix_spawnattr_setflags(attributes,
                             POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
}

int hf_child_process_spawn(char *const *command, char *const *environment,
                           const int descriptors[HF_MOST_PASSED], pid_t *ret_pid)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int copies[HF_MOST_PASSED];
    posix_spawn_file_actions_init(&actions);
    for (int i = 0; i < HF_MOST_PASSED; i++) {
        /* None of them may have the number that another one gets. */
        copies[i] = fcntl(descriptors[i], F_DUPFD_CLOEXEC, FIRST_UNPASSED);
        if (copies[i] >= 0)
            posix_spawn_file_actions_adddup2(&actions, copies[i], HF_INHERITED_DESCRIPTOR + i);
    }
    set_spawn_attributes(&attributes);
    int reason = posix_spawnp(ret_pid, command[0], &actions, &attributes, command, environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    for (int i = 0; i < HF_MOST_PASSED; i++)
        if (copies[i] >= 0)
            close(copies[i]);
    return reason;
}
