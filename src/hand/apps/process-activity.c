/* SPDX-License-Identifier: Apache-2.0 */
/* Reads what the kernel's scheduler says of threads (/proc/PID/task/TID): how often each has been
 * given a processor, and whether it wants one now. */
#include "hand/apps/process-activity.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "shared/base/processes.h"

struct HfProcessActivity {
    GArray *pids;
    guint64 turns; /* of all threads together, at the last look */
};

/* Called for each thread of a process with the start of /proc/PID/task/TID/NAME; TRUE ends it. */
typedef gboolean (*ThreadVisit)(const char *text, gpointer data);

static gboolean visit_threads(pid_t pid, const char *name, ThreadVisit visit, gpointer data)
{
    char path[96], text[512];
    g_snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
    DIR *folder = opendir(path);
    const struct dirent *entry;
    gboolean ended = FALSE;
    while (folder && !ended && (entry = readdir(folder))) {
        if (!g_ascii_isdigit(entry->d_name[0]))
            continue;
        g_snprintf(path, sizeof path, "%.20s/%s", entry->d_name, name);
        int file = openat(dirfd(folder), path, O_RDONLY | O_CLOEXEC);
        ssize_t length = file < 0 ? -1 : read(file, text, sizeof text - 1);
        if (file >= 0)
            close(file);
        if (length <= 0)
            continue;
        text[length] = 0;
        ended = visit(text, data);
    }
    if (folder)
        closedir(folder);
    return ended;
}

/* "RUN_NS WAIT_NS TURNS" */
static gboolean add_turns(const char *text, gpointer data)
{
    guint64 *turns = data;
    unsigned long long count;
    if (sscanf(text, "%*u %*u %llu", &count) == 1)
        *turns += count;
    return FALSE;
}

/* "TID (NAME) STATE ...", where the name may hold anything. */
static gboolean is_thread_ready(const char *text, gpointer data)
{
    const char *rest = strrchr(text, ')');
    return rest && (strncmp(rest, ") R", 3) == 0 || strncmp(rest, ") D", 3) == 0);
}

static guint64 count_turns(const HfProcessActivity *activity)
{
    guint64 turns = 0;
    for (guint i = 0; i < activity->pids->len; i++)
        visit_threads(g_array_index(activity->pids, pid_t, i), "schedstat", add_turns, &turns);
    return turns;
}

gboolean hf_process_is_busy(pid_t pid)
{
    return visit_threads(pid, "stat", is_thread_ready, NULL);
}

HfProcessActivity *hf_process_activity_new(pid_t pid)
{
    HfProcessActivity *activity = g_new0(HfProcessActivity, 1);
    activity->pids = g_array_new(FALSE, FALSE, sizeof(pid_t));
    HfProcess self;
    if (!hf_process_read(pid, &self))
        return activity;
    g_array_append_val(activity->pids, pid);
    g_autoptr(GArray) family = hf_processes_list_family(pid);
    for (guint i = 0; i < family->len; i++) {
        const HfProcess *process = &g_array_index(family, HfProcess, i);
        if (process->session == self.session)
            g_array_append_val(activity->pids, process->pid);
    }
    activity->turns = count_turns(activity);
    return activity;
}

void hf_process_activity_free(HfProcessActivity *activity)
{
    if (!activity)
        return;
    g_array_unref(activity->pids);
    g_free(activity);
}

static gboolean is_any_busy(const HfProcessActivity *activity)
{
    for (guint i = 0; i < activity->pids->len; i++)
        if (hf_process_is_busy(g_array_index(activity->pids, pid_t, i)))
            return TRUE;
    return FALSE;
}

/* The turns are counted last: a thread that was waiting for its turn when they were counted, and
 * has had it and sleeps when its state is read, would have done nothing by either. */
gboolean hf_process_activity_has_worked(HfProcessActivity *activity)
{
    guint64 before = activity->turns;
    gboolean busy = is_any_busy(activity);
    activity->turns = count_turns(activity);
    return busy || activity->turns != before;
}
