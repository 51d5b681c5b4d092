/* SPDX-License-Identifier: Apache-2.0 */
/* A program that forks could slip through one look at /proc, so only two looks in a row that find
 * nothing running count. */
#include "stage/freeze.h"

#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shared/process/processes.h"
#include "stage/stage-limits.h"

#define CLEAN_LOOKS   2
#define LOOK_AGAIN_US 2000

/* The hand's own helpers run our executable. */
static gboolean runs_our_executable(pid_t pid)
{
    struct stat ours, theirs;
    char path[64];
    g_snprintf(path, sizeof path, "/proc/%d/exe", (int)pid);
    return stat("/proc/self/exe", &ours) == 0 && stat(path, &theirs) == 0 &&
           ours.st_ino == theirs.st_ino && ours.st_dev == theirs.st_dev;
}

static gboolean must_go_on(const HfProcess *process, const HfFreezeExempt *exempt)
{
    for (gsize i = 0; i < exempt->count; i++)
        if (process->pid == exempt->servers[i])
            return TRUE;
    return process->pid == exempt->hand || (exempt->hand != 0 && process->parent == exempt->hand &&
                                            runs_our_executable(process->pid));
}

/* Stops what runs; returns how many that were. */
static guint stop_running_programs(const HfFreezeExempt *exempt)
{
    g_autoptr(GArray) family = hf_processes_list_family(getpid());
    guint running = 0;
    for (guint i = 0; i < family->len; i++) {
        const HfProcess *process = &g_array_index(family, HfProcess, i);
        if (process->state == 'T' || process->state == 't' || must_go_on(process, exempt))
            continue;
        kill(process->pid, SIGSTOP);
        running++;
    }
    return running;
}

guint hf_freeze_programs(const HfFreezeExempt *exempt)
{
    gint64 until = g_get_monotonic_time() + HF_LIMIT_FREEZE_MS * (gint64)1000;
    guint running, clean = 0;
    do {
        running = stop_running_programs(exempt);
        clean = running == 0 ? clean + 1 : 0;
        if (clean < CLEAN_LOOKS)
            g_usleep(LOOK_AGAIN_US);
    } while (clean < CLEAN_LOOKS && g_get_monotonic_time() < until);
    return running;
}

void hf_thaw_programs(void)
{
    g_autoptr(GArray) family = hf_processes_list_family(getpid());
    for (guint i = 0; i < family->len; i++)
        kill(g_array_index(family, HfProcess, i).pid, SIGCONT);
}
