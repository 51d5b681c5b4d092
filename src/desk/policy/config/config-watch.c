/* SPDX-License-Identifier: Apache-2.0 */
/* inotify on the directory, since a file that is replaced is another file. While the directory does
 * not exist, the nearest one above it is watched for its coming. */
#include "desk/policy/config/config-watch.h"

#include <errno.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <unistd.h>

/* Editors write in several steps; what comes within this time is one change. */
#define QUIET_MS 30
#define EVENTS                                                                                     \
    (IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_CREATE | IN_ATTRIB |            \
     IN_DELETE_SELF | IN_MOVE_SELF)

struct HfConfigWatch {
    char **paths;
    GFunc changed;
    gpointer data;
    int inotify_fd, end_fd;
    GThread *thread;
};

static void watch_above(HfConfigWatch *watch, const char *path)
{
    g_autofree char *directory = g_path_get_dirname(path);
    while (inotify_add_watch(watch->inotify_fd, directory, EVENTS | IN_ONLYDIR) < 0 &&
           !g_str_equal(directory, "/")) {
        char *parent = g_path_get_dirname(directory);
        g_free(directory);
        directory = parent;
    }
}

/* Adding a watch that is there already changes nothing, so this is done after every event. */
static void watch_all(HfConfigWatch *watch)
{
    for (char **path = watch->paths; *path; path++)
        watch_above(watch, *path);
}

static void swallow_events(HfConfigWatch *watch)
{
    char buffer[4096] __attribute__((aligned(8)));
    while (read(watch->inotify_fd, buffer, sizeof buffer) > 0)
        ;
}

/* TRUE: something happened; FALSE: time to end. */
static gboolean wait_for_change(HfConfigWatch *watch)
{
    struct pollfd fds[] = {{watch->inotify_fd, POLLIN, 0}, {watch->end_fd, POLLIN, 0}};
    int count = TEMP_FAILURE_RETRY(poll(fds, 2, -1));
    while (count > 0 && !fds[1].revents) {
        swallow_events(watch);
        watch_all(watch);
        count = TEMP_FAILURE_RETRY(poll(fds, 2, QUIET_MS));
        if (count == 0)
            return TRUE;
    }
    return FALSE;
}

static gpointer run_config_watch(gpointer data)
{
    HfConfigWatch *watch = data;
    while (wait_for_change(watch))
        watch->changed(watch->data, NULL);
    return NULL;
}

HfConfigWatch *hf_config_watch_new(const char *const *paths, GFunc changed, gpointer data)
{
    HfConfigWatch *watch = g_new0(HfConfigWatch, 1);
    watch->paths = g_strdupv((char **)paths);
    watch->changed = changed;
    watch->data = data;
    watch->inotify_fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    watch->end_fd = eventfd(0, EFD_CLOEXEC);
    watch_all(watch);
    watch->thread = g_thread_new("watch", run_config_watch, watch);
    return watch;
}

void hf_config_watch_free(HfConfigWatch *watch)
{
    if (!watch)
        return;
    eventfd_write(watch->end_fd, 1);
    g_thread_join(watch->thread);
    if (watch->inotify_fd >= 0)
        close(watch->inotify_fd);
    close(watch->end_fd);
    g_strfreev(watch->paths);
    g_free(watch);
}
