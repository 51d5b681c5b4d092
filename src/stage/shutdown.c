/* SPDX-License-Identifier: Apache-2.0 */
/* Ends a desktop. The stage is a subreaper, so no process that was started on the desktop can
 * escape it: the children of a killed process come to the stage, and the next round finds them. */
#include "stage/shutdown.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "shared/base/limits.h"
#include "shared/base/processes.h"
#include "stage/stage-limits.h"

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
