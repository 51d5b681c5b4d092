/* SPDX-License-Identifier: Apache-2.0 */
/* A program that forks could slip through one look at /proc, so only two looks in a row that find
 * nothing running count. On somebody's own display programs are ended as well: a frozen one that
 * holds the pointer or the keyboard would hold it for ever. */
#include "stage/freeze.h"

#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "shared/process/processes.h"
#include "stage/stage-limits.h"

#define CLEAN_LOOKS   2
#define LOOK_AGAIN_US 2000
#define KILL_ROUND_MS 20

/* The hand's own helpers run our executable. */
static gboolean runs_our_executable(pid_t pid)
{
    struct stat ours, theirs;
    char path[64];
    g_snprintf(path, sizeof path, "/proc/%d/exe", (int)pid);
    return stat("/proc/self/exe", &ours) == 0 && stat(path, &theirs) == 0 &&
           ours.st_ino == theirs.st_ino && ours.st_dev == theirs.st_dev;
}

/* A hand that has ended leaves them to us. Programs are our children too; but where there is a
 * namespace, they live in it. */
static gboolean is_keeper(const HfProcess *process)
{
    return process->parent == getpid() && runs_our_executable(process->pid) &&
           !hf_process_is_in_inner_namespace(process->pid);
}

static gboolean must_go_on(const HfProcess *process, const HfFreezeExempt *exempt)
{
    for (gsize i = 0; i < exempt->count; i++)
        if (process->pid == exempt->servers[i])
            return TRUE;
    return process->pid == exempt->hand ||
           (exempt->hand != 0 && process->parent == exempt->hand &&
            runs_our_executable(process->pid)) ||
           (exempt->keepers && is_keeper(process));
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

static gboolean has_process(const GArray *processes, pid_t pid)
{
    for (guint i = 0; i < processes->len; i++)
        if (g_array_index(processes, HfProcess, i).pid == pid)
            return TRUE;
    return FALSE;
}

/* What a stop ends: the first processes of namespaces too, and so, by the kernel, all in them. */
static GArray *list_programs(const HfFreezeExempt *exempt, const char *owner)
{
    GArray *programs = hf_processes_list_family(getpid());
    for (guint i = programs->len; i-- > 0;)
        if (must_go_on(&g_array_index(programs, HfProcess, i), exempt))
            g_array_remove_index_fast(programs, i);
    g_autoptr(GArray) first = owner ? hf_process_namespaces_list(owner) : NULL;
    for (guint i = 0; first && i < first->len; i++) {
        HfProcess process = g_array_index(first, HfProcess, i);
        if (!has_process(programs, process.pid))
            g_array_append_val(programs, process);
    }
    return programs;
}

/* The kernel ends a namespace only when all in it are reaped, and some are our children. The stage
 * must see the end of those that it knows, which are outside. */
static void reap_programs(void)
{
    g_autoptr(GArray) all = hf_processes_list();
    for (guint i = 0; i < all->len; i++) {
        const HfProcess *process = &g_array_index(all, HfProcess, i);
        if (process->state == 'Z' && process->parent == getpid() &&
            hf_process_is_in_inner_namespace(process->pid))
            waitpid(process->pid, NULL, WNOHANG);
    }
}

guint hf_end_programs(const HfFreezeExempt *exempt, const char *owner)
{
    gint64 until = g_get_monotonic_time() + HF_LIMIT_END_PROGRAMS_MS * (gint64)1000;
    hf_freeze_programs(exempt);
    for (;;) {
        g_autoptr(GArray) programs = list_programs(exempt, owner);
        if (programs->len == 0 || g_get_monotonic_time() >= until)
            return programs->len;
        hf_processes_end(programs, SIGKILL, KILL_ROUND_MS);
        reap_programs();
    }
}

void hf_thaw_programs(void)
{
    g_autoptr(GArray) family = hf_processes_list_family(getpid());
    for (guint i = 0; i < family->len; i++)
        kill(g_array_index(family, HfProcess, i).pid, SIGCONT);
}
