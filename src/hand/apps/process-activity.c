/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the scheduler's figures of each thread (/proc/PID/task/TID): how often it has run, and
 * whether it wants to run now. */
#include "hand/apps/process-activity.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "shared/process/processes.h"

struct HfProcessActivity {
    GArray *pids;
    guint64 timeslices; /* of all threads, at the last look */
};

/* Called for each thread with the start of /proc/PID/task/TID/NAME; TRUE stops the loop. */
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

/* "RUN_NS WAIT_NS TIMESLICES" */
static gboolean add_timeslices(const char *text, gpointer data)
{
    guint64 *timeslices = data;
    unsigned long long count;
    if (sscanf(text, "%*u %*u %llu", &count) == 1)
        *timeslices += count;
    return FALSE;
}

/* "TID (NAME) STATE ...", where the name may contain anything. */
static gboolean is_thread_ready(const char *text, gpointer data)
{
    const char *rest = strrchr(text, ')');
    return rest && (strncmp(rest, ") R", 3) == 0 || strncmp(rest, ") D", 3) == 0);
}

static guint64 count_timeslices(const HfProcessActivity *activity)
{
    guint64 timeslices = 0;
    for (guint i = 0; i < activity->pids->len; i++)
        visit_threads(g_array_index(activity->pids, pid_t, i), "schedstat", add_timeslices,
                      &timeslices);
    return timeslices;
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
    activity->timeslices = count_timeslices(activity);
    return activity;
}

void hf_process_activity_free(HfProcessActivity *activity)
{
    if (!activity)
        return;
    g_array_unref(activity->pids);
    g_free(activity);
}

/* The timeslices are counted last. Otherwise a thread could wait while they are counted, and have
 * run and sleep again when its state is read: then neither would show that it worked. */
gboolean hf_process_activity_has_worked(HfProcessActivity *activity)
{
    guint64 before = activity->timeslices;
    gboolean busy = FALSE;
    for (guint i = 0; i < activity->pids->len && !busy; i++)
        busy = hf_process_is_busy(g_array_index(activity->pids, pid_t, i));
    activity->timeslices = count_timeslices(activity);
    return busy || activity->timeslices != before;
}
