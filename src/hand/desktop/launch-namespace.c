/* SPDX-License-Identifier: Apache-2.0 */
/* Finding the first process means looking at all processes, so it is kept until it has ended. */
#include "hand/desktop/launch-namespace.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <unistd.h>

#include "shared/base/error.h"
#include "shared/process/processes.h"

struct HfLaunchNamespace {
    GMutex lock;
    int first; /* a pidfd; -1: not known */
};

HfLaunchNamespace *hf_launch_namespace_new(void)
{
    HfLaunchNamespace *space = g_new0(HfLaunchNamespace, 1);
    g_mutex_init(&space->lock);
    space->first = -1;
    return space;
}

void hf_launch_namespace_free(HfLaunchNamespace *space)
{
    if (!space)
        return;
    if (space->first >= 0)
        close(space->first);
    g_mutex_clear(&space->lock);
    g_free(space);
}

static gboolean has_first_process(const HfLaunchNamespace *space)
{
    struct pollfd ended = {space->first, POLLIN, 0};
    return space->first >= 0 && poll(&ended, 1, 0) == 0;
}

int hf_launch_namespace_open(HfLaunchNamespace *space, GError **error)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&space->lock);
    if (!has_first_process(space)) {
        if (space->first >= 0)
            close(space->first);
        space->first = hf_process_namespace_open(getppid());
    }
    int copy = space->first >= 0 ? fcntl(space->first, F_DUPFD_CLOEXEC, 3) : -1;
    if (copy < 0)
        hf_fail(error, HF_ERROR_DESKTOP_UNAVAILABLE,
                "the namespace in which programs are started is not there");
    return copy;
}

/* Root has no user namespace of its own there, and joining one's own is an error. */
gboolean hf_launch_namespace_enter(int process_fd)
{
    int kinds = CLONE_NEWNS | CLONE_NEWPID | (geteuid() != 0 ? CLONE_NEWUSER : 0);
    return setns(process_fd, kinds) == 0;
}
