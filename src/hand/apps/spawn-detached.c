/* SPDX-License-Identifier: Apache-2.0 */
/* A double fork: the child in between ends at once, so that the program belongs to whoever adopts
 * orphans. Between fork and exec only async-signal-safe calls are made, since other threads may
 * have held any lock. The program waits before exec until its process was opened here, so that
 * even one that ends at once is never confused with another. */
#include "hand/apps/spawn-detached.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hand/apps/process-info.h"
#include "shared/base/error.h"

/* First the pid; then, only if exec fails, the error. */
typedef struct Report {
    pid_t pid;
    int error;
} Report;

typedef struct Pipes {
    int report[2], go[2];
} Pipes;

static void close_spawn_pipes(Pipes *pipes)
{
    int *fds[] = {&pipes->report[0], &pipes->report[1], &pipes->go[0], &pipes->go[1]};
    for (gsize i = 0; i < G_N_ELEMENTS(fds); i++) {
        if (*fds[i] >= 0)
            close(*fds[i]);
        *fds[i] = -1;
    }
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Pipes, close_spawn_pipes)

static ssize_t read_uninterrupted(int fd, void *data, gsize size)
{
    ssize_t count;
    do
        count = read(fd, data, size);
    while (count < 0 && errno == EINTR);
    return count;
}

static G_NORETURN void fail_in_child(const Pipes *pipes, int number)
{
    Report report = {0, number};
    ssize_t written = write(pipes->report[1], &report, sizeof report);
    (void)written;
    _exit(127);
}

static void reset_detached_signals(void)
{
    struct sigaction plain = {.sa_handler = SIG_DFL};
    for (int number = 1; number < NSIG; number++)
        sigaction(number, &plain, NULL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

static void use_null_device(void)
{
    int null = open("/dev/null", O_RDWR);
    for (int fd = 0; fd <= 2; fd++)
        dup2(null, fd);
    if (null > 2)
        close(null);
}

static G_NORETURN void run_program(const HfDetached *what, const Pipes *pipes)
{
    setsid();
    Report report = {getpid(), 0};
    char go;
    if (write(pipes->report[1], &report, sizeof report) != sizeof report ||
        read_uninterrupted(pipes->go[0], &go, 1) != 1)
        _exit(127); /* nobody waits for it any more */
    use_null_device();
    if (chdir(what->directory) != 0 && chdir("/") != 0)
        fail_in_child(pipes, errno);
    reset_detached_signals();
    execve(what->arguments[0], what->arguments, what->environment);
    fail_in_child(pipes, errno);
}

/* At once, and not only by exec: what we hold open must not be held here, too. Without go[1] the
 * program sees when we are gone. */
static void close_others(const Pipes *pipes)
{
    unsigned low = (unsigned)MIN(pipes->report[1], pipes->go[0]);
    unsigned high = (unsigned)MAX(pipes->report[1], pipes->go[0]);
    if (low > 3)
        close_range(3, low - 1, 0);
    if (high > low + 1)
        close_range(low + 1, high - 1, 0);
    close_range(high + 1, ~0u, 0);
}

static G_NORETURN void run_middle(const HfDetached *what, const Pipes *pipes)
{
    close_others(pipes);
    pid_t program = _Fork();
    if (program == 0)
        run_program(what, pipes);
    if (program < 0)
        fail_in_child(pipes, errno);
    _exit(0);
}

static gboolean fail_exec(const HfDetached *what, int number, GError **error)
{
    HfErrorCode code = number == ENOENT ? HF_ERROR_APP_NOT_FOUND : HF_ERROR_PRECONDITION_FAILED;
    return hf_fail(error, code, "cannot start '%s': %s", what->arguments[0], g_strerror(number));
}

/* Other signals must not be handled in the children, which still have our handlers. */
static pid_t fork_quietly(const HfDetached *what, const Pipes *pipes)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid_t middle = fork();
    if (middle == 0)
        run_middle(what, pipes);
    int number = errno;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = number;
    return middle;
}

static void reap_middle_child(pid_t middle)
{
    while (waitpid(middle, NULL, 0) < 0 && errno == EINTR)
        continue;
}

/* Until then it still has our memory, and with a mapped file the lock on it. */
static void wait_for_detached_end(int process_fd)
{
    struct pollfd ended = {process_fd, POLLIN, 0};
    while (poll(&ended, 1, -1) < 0 && errno == EINTR)
        continue;
}

pid_t hf_spawn_detached(const HfDetached *what, int *ret_process_fd, GError **error)
{
    g_auto(Pipes) pipes = {{-1, -1}, {-1, -1}};
    if (pipe2(pipes.report, O_CLOEXEC) != 0 || pipe2(pipes.go, O_CLOEXEC) != 0)
        return fail_exec(what, errno, error);
    pid_t middle = fork_quietly(what, &pipes);
    if (middle < 0)
        return fail_exec(what, errno, error);
    close(pipes.report[1]);
    pipes.report[1] = -1;
    Report report = {0};
    gboolean told = read_uninterrupted(pipes.report[0], &report, sizeof report) == sizeof report;
    reap_middle_child(middle);
    if (!told || report.error)
        return fail_exec(what, told ? report.error : EAGAIN, error);
    int process_fd = hf_process_open(report.pid);
    Report failure = {0};
    if (process_fd < 0 || write(pipes.go[1], "g", 1) != 1)
        return fail_exec(what, errno, error);
    if (read_uninterrupted(pipes.report[0], &failure, sizeof failure) == sizeof failure) {
        wait_for_detached_end(process_fd);
        close(process_fd);
        return fail_exec(what, failure.error, error);
    }
    *ret_process_fd = process_fd;
    return report.pid;
}
