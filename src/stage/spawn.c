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
#include "shared/base/limits.h"
#include "shared/process/processes.h"
#include "shared/wire/stage-protocol.h"
#include "stage/stage-limits.h"

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

/* Ends a desktop. The stage is a subreaper, so no process that was started on the desktop can
 * escape it: the children of a killed process come to the stage, and the next round finds them. */
/* A process that forks faster than it is killed, or hangs in the kernel, must not hold us for
 * ever. */
#define MOST_ROUNDS   50
#define ROUND_WAIT_MS 200
#define LONGEST_US    ((HF_LIMIT_STAGE_END_MS - 2000) * (gint64)1000)

static gboolean is_server(pid_t pid, const pid_t *servers, gsize count)
{
    for (gsize i = 0; i < count; i++)
        if (servers[i] == pid)
            return TRUE;
    return FALSE;
}

static void reap_descendants(void)
{
    while (waitpid(-1, NULL, WNOHANG) > 0)
        ;
}

static void keep_programs(GArray *family, const pid_t *servers, gsize count)
{
    for (guint i = family->len; i-- > 0;)
        if (is_server(g_array_index(family, HfProcess, i).pid, servers, count))
            g_array_remove_index_fast(family, i);
}

guint hf_shutdown_run(const pid_t *servers, gsize count)
{
    gint64 until = g_get_monotonic_time() + LONGEST_US;
    g_autoptr(GArray) programs = hf_processes_list_family(getpid());
    keep_programs(programs, servers, count);
    hf_processes_end(programs, SIGTERM, HF_LIMIT_PROGRAM_GRACE_MS);
    reap_descendants();
    g_autoptr(GArray) family = hf_processes_list_family(getpid());
    hf_processes_end(family, SIGTERM, HF_LIMIT_SERVER_GRACE_MS);
    for (int round = 0; round < MOST_ROUNDS && g_get_monotonic_time() < until; round++) {
        reap_descendants();
        g_autoptr(GArray) rest = hf_processes_list_family(getpid());
        if (rest->len == 0)
            return 0;
        hf_processes_end(rest, SIGKILL, ROUND_WAIT_MS);
    }
    reap_descendants();
    g_autoptr(GArray) left = hf_processes_list_family(getpid());
    return left->len;
}

void hf_shutdown_end_child(pid_t pid, int grace_ms)
{
    g_autoptr(GArray) child = g_array_new(FALSE, FALSE, sizeof(HfProcess));
    HfProcess process;
    if (pid == 0 || !hf_process_read(pid, &process))
        return;
    g_array_append_val(child, process);
    if (!hf_processes_end(child, SIGTERM, grace_ms))
        hf_processes_end(child, SIGKILL, ROUND_WAIT_MS);
    reap_descendants();
}

const char **hf_spawn_new_hand_command(const json_t *order)
{
    const json_t *given = json_object_get(order, "arguments");
    gsize count = json_array_size(given);
    const char **arguments = g_new0(const char *, count + 3);
    /* Our own executable, even if its file was replaced meanwhile. */
    arguments[0] = "/proc/self/exe";
    arguments[1] = "hand";
    for (gsize i = 0; i < count; i++) {
        const char *text = json_string_value(json_array_get(given, i));
        arguments[i + 1] = text ? text : "";
    }
    return arguments;
}
