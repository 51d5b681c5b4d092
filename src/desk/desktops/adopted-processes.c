/* SPDX-License-Identifier: Apache-2.0 */
/* SIGCHLD wakes a thread that looks at our children. Every child that we have not started ourselves
 * was adopted. The lock is held while a child is started, so that no stage is mistaken for one. */
#include "desk/desktops/adopted-processes.h"

#include <errno.h>
#include <fcntl.h>
#include <glib-unix.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "desk/policy/identity/agent-mark.h"
#include "shared/process/processes.h"

/* A program that forks faster than it is ended gets no more rounds than this at a time; the next
 * SIGCHLD begins again. */
#define MOST_ROUNDS  20
#define END_LIMIT_MS 1000

static GMutex lock;
static GHashTable *own_children; /* set of pids, guarded by the lock */
static int wake_pipe[2] = {-1, -1};
static GThread *thread;

void hf_adopted_processes_lock(void)
{
    g_mutex_lock(&lock);
}

void hf_adopted_processes_unlock(pid_t own_child)
{
    if (!own_children)
        own_children = g_hash_table_new(NULL, NULL);
    if (own_child > 0)
        g_hash_table_add(own_children, GINT_TO_POINTER(own_child));
    g_mutex_unlock(&lock);
}

void hf_adopted_processes_forget(pid_t own_child)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&lock);
    if (own_children)
        g_hash_table_remove(own_children, GINT_TO_POINTER(own_child));
}

static gboolean is_adopted(const HfProcess *process)
{
    return process->parent == getpid() &&
           !(own_children && g_hash_table_contains(own_children, GINT_TO_POINTER(process->pid)));
}

static void add_to_doomed(GArray *doomed, const HfProcess *process)
{
    g_autoptr(GArray) family = hf_processes_list_family(process->pid);
    g_array_append_val(doomed, *process);
    g_array_append_vals(doomed, family->data, family->len);
}

/* Reaps the adopted that have ended. Those of virtual desktops that have not, with all below them.
 */
static GArray *reap_and_list_doomed(void)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&lock);
    g_autoptr(GArray) all = hf_processes_list();
    GArray *doomed = g_array_new(FALSE, FALSE, sizeof(HfProcess));
    for (guint i = 0; i < all->len; i++) {
        const HfProcess *process = &g_array_index(all, HfProcess, i);
        if (!is_adopted(process) || waitpid(process->pid, NULL, WNOHANG) != 0)
            continue;
        if (hf_agent_mark_is_virtual(process->pid))
            add_to_doomed(doomed, process);
    }
    return doomed;
}

static void end_adopted_processes(void)
{
    for (int round = 0; round < MOST_ROUNDS; round++) {
        g_autoptr(GArray) doomed = reap_and_list_doomed();
        if (doomed->len == 0)
            return;
        hf_processes_end(doomed, SIGKILL, END_LIMIT_MS);
    }
}

static gpointer watch_children(gpointer unused)
{
    char what[64];
    for (;;) {
        ssize_t got = read(wake_pipe[0], what, sizeof what);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0 || what[got - 1] == 'q')
            return NULL;
        end_adopted_processes();
    }
}

static void on_child_signal(int number)
{
    int saved = errno;
    ssize_t written = write(wake_pipe[1], "c", 1);
    (void)written;
    errno = saved;
}

void hf_adopted_processes_begin(void)
{
    struct sigaction action = {.sa_handler = on_child_signal,
                               .sa_flags = SA_RESTART | SA_NOCLDSTOP};
    if (thread || !g_unix_open_pipe(wake_pipe, FD_CLOEXEC, NULL))
        return;
    fcntl(wake_pipe[1], F_SETFL, O_NONBLOCK);
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    thread = g_thread_new("adopted", watch_children, NULL);
    sigaction(SIGCHLD, &action, NULL);
}

void hf_adopted_processes_end(void)
{
    if (!thread)
        return;
    sigaction(SIGCHLD, &(struct sigaction){.sa_handler = SIG_DFL}, NULL);
    end_adopted_processes();
    fcntl(wake_pipe[1], F_SETFL, 0);
    ssize_t written = write(wake_pipe[1], "q", 1);
    if (written == 1)
        g_thread_join(g_steal_pointer(&thread));
    g_clear_pointer(&own_children, g_hash_table_unref);
}
