/* SPDX-License-Identifier: Apache-2.0 */
/* While this process lives, programs can be started in its PID namespace; the kernel ends them all
 * when it ends. So it stays until the last of them has ended, also without its stage. It reaps
 * their orphans. Signals from inside do not reach it, and nobody inside can trace it. */
#include "stage/namespace-init.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shared/process/processes.h"
#include "shared/wire/stage-protocol.h"

/* Any program that still runs; 0: there is none. */
static pid_t find_running_program(void)
{
    g_autoptr(GArray) all = hf_processes_list();
    for (guint i = 0; i < all->len; i++) {
        const HfProcess *process = &g_array_index(all, HfProcess, i);
        if (process->pid != getpid() && process->state != 'Z')
            return process->pid;
    }
    return 0;
}

/* Programs that a hand starts here are not our children, so waiting for children is not enough. */
static void wait_for_last_program(void)
{
    pid_t pid;
    while ((pid = find_running_program()) > 0) {
        int process = pidfd_open(pid, 0);
        struct pollfd end = {process, POLLIN, 0};
        while (process >= 0 && poll(&end, 1, -1) < 0 && errno == EINTR)
            continue;
        if (process >= 0)
            close(process);
    }
}

static void wait_for_end_of_stage(int channel)
{
    char byte;
    ssize_t count;
    do
        count = read(channel, &byte, sizeof byte);
    while (count > 0 || (count < 0 && errno == EINTR));
}

static void use_null_output(void)
{
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int descriptor = 0; descriptor <= 2; descriptor++)
        dup2(null, descriptor);
    if (null > 2)
        close(null);
}

int hf_namespace_init_main(void)
{
    struct stat info;
    int channel = HF_INHERITED_DESCRIPTOR;
    if (getpid() != 1 || fstat(channel, &info) < 0 || !S_ISSOCK(info.st_mode))
        return 2;
    fcntl(channel, F_SETFD, FD_CLOEXEC);
    close_range(HF_INHERITED_DESCRIPTOR + 1, ~0U, 0);
    prctl(PR_SET_NAME, "handfast-init");
    /* The kernel reaps the children of a process that does not want to know. */
    sigaction(SIGCHLD, &(struct sigaction){.sa_handler = SIG_IGN, .sa_flags = SA_NOCLDWAIT}, NULL);
    use_null_output();
    if (write(channel, "", 1) == 1)
        wait_for_end_of_stage(channel);
    wait_for_last_program();
    /* Without the usual end, at which a build with sanitizers looks for leaks by tracing. */
    _exit(EXIT_SUCCESS);
}
