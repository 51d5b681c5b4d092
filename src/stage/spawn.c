/* SPDX-License-Identifier: Apache-2.0 */
/* fork and exec, with the reason when exec fails. The stage has one thread, so the child may call
 * anything before exec; for the same reason the parent-death signal means that the whole stage is
 * gone. */
#include "stage/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "shared/base/error.h"
#include "shared/wire/stage-protocol.h"

/* Keeps the descriptors that the child needs until exec away from those it is given. */
#define FIRST_FREE_DESCRIPTOR 10

static void reset_child_signals(void)
{
    sigset_t none;
    sigemptyset(&none);
    for (int number = 1; number < NSIG; number++)
        signal(number, SIG_DFL);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

static void arrange_descriptors(const HfSpawn *what)
{
    int output = fcntl(what->output >= 0 ? what->output : STDERR_FILENO, F_DUPFD_CLOEXEC,
                       FIRST_FREE_DESCRIPTOR);
    int pass = what->pass >= 0 ? fcntl(what->pass, F_DUPFD_CLOEXEC, FIRST_FREE_DESCRIPTOR) : -1;
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    dup2(null, STDIN_FILENO);
    dup2(output, STDOUT_FILENO);
    dup2(output, STDERR_FILENO);
    if (pass >= 0)
        dup2(pass, HF_INHERITED_DESCRIPTOR);
}

/* Runs in the child; returns only to report why exec failed. */
static void exec_child(const HfSpawn *what, pid_t parent, int report)
{
    int reason = 0;
    report = fcntl(report, F_DUPFD_CLOEXEC, FIRST_FREE_DESCRIPTOR);
    reset_child_signals();
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() == parent) {
        arrange_descriptors(what);
        execvpe(what->arguments[0], (char *const *)what->arguments, what->environment);
        reason = errno;
    }
    if (write(report, &reason, sizeof reason) < 0)
        _exit(126);
    _exit(127);
}

pid_t hf_spawn(const HfSpawn *what, GError **error)
{
    int report[2], reason = 0;
    if (pipe2(report, O_CLOEXEC) < 0) {
        hf_fail(error, HF_ERROR_INTERNAL, "cannot create a pipe: %s", g_strerror(errno));
        return 0;
    }
    pid_t parent = getpid(), pid = fork();
    if (pid == 0)
        exec_child(what, parent, report[1]);
    int fork_reason = errno;
    close(report[1]);
    gboolean failed = pid < 0 || read(report[0], &reason, sizeof reason) == sizeof reason;
    close(report[0]);
    if (!failed)
        return pid;
    if (pid > 0)
        waitpid(pid, NULL, 0);
    reason = pid < 0 ? fork_reason : reason;
    hf_fail(error, reason == ENOENT ? HF_ERROR_PRECONDITION_FAILED : HF_ERROR_INTERNAL,
            "cannot start '%s': %s", what->arguments[0],
            reason == ENOENT ? "it is not installed" : g_strerror(reason));
    return 0;
}
