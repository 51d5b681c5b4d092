/* SPDX-License-Identifier: Apache-2.0 */
/* inotify, one descriptor per tree. A new directory is watched first and then read, and what is in
 * it already counts as created now. Only descriptors are watched, never anything outside the walls.
 */
#include "hand/files/path-watch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>

#include "hand/files/files-limits.h"
#include "shared/base/error.h"
#include "shared/base/fd.h"

#define WATCHED                                                                                    \
    (IN_CREATE | IN_MODIFY | IN_CLOSE_WRITE | IN_ATTRIB | IN_DELETE | IN_MOVED_FROM |              \
     IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR | IN_EXCL_UNLINK)
/* The second half of a move comes at most this long after the first. */
#define MOVE_MS 20
/* A call reads at most this often what the system holds ready. */
#define MAX_READS 256

struct HfFileWatch {
    HfFileWalls *walls;
    GPtrArray *denied; /* the patterns that can match here */
    int inotify, wake;
    char *path; /* the watched directory */
    char *name; /* watch only this file in it; NULL: everything */
    guint64 device, inode;
    gboolean recursive;
    GThread *thread;
    GMutex lock; /* guards the members below */
    GCond changed;
    GHashTable *directories; /* watch descriptor → path */
    GPtrArray *pending;      /* of HfWatchChange */
    HfWatchChange *leaving;  /* the first half of a move */
    guint32 cookie;
    gint64 last_us;
    gint64 until_us; /* without a call until then, the watch ends */
    gboolean overflow, gone, stop;
};

static void watch_change_free(gpointer data)
{
    HfWatchChange *change = data;
    if (!change)
        return;
    g_free(change->path);
    g_free(change->from);
    g_free(change);
}

void hf_file_watch_batch_clear(HfWatchBatch *batch)
{
    g_clear_pointer(&batch->changes, g_ptr_array_unref);
}

const char *hf_file_watch_kind_name(HfWatchKind kind)
{
    return kind == HF_WATCH_CREATE   ? "create"
           : kind == HF_WATCH_MODIFY ? "modify"
           : kind == HF_WATCH_DELETE ? "delete"
                                     : "move";
}

/* ---- changes, with the lock held ---- */

/* Repeated writes are one change, and a new file is not modified besides. */
static gboolean is_pending_change(const HfFileWatch *watch, HfWatchKind kind, const char *path)
{
    for (guint i = watch->pending->len; i-- > 0;) {
        const HfWatchChange *change = watch->pending->pdata[i];
        if (strcmp(change->path, path) == 0)
            return change->kind == kind ||
                   (kind == HF_WATCH_MODIFY && change->kind == HF_WATCH_CREATE);
        if (watch->pending->len - i > 64)
            break;
    }
    return FALSE;
}

static void add_watch_change(HfFileWatch *watch, HfWatchChange *take_change)
{
    gboolean full = watch->pending->len >= HF_LIMIT_WATCH_CHANGES;
    watch->last_us = g_get_monotonic_time();
    watch->overflow |= full;
    if (full ||
        (!take_change->from && is_pending_change(watch, take_change->kind, take_change->path)))
        watch_change_free(take_change);
    else
        g_ptr_array_add(watch->pending, take_change);
    g_cond_broadcast(&watch->changed);
}

static HfWatchChange *watch_change_new(HfWatchKind kind, const char *path, gboolean folder)
{
    HfWatchChange *change = g_new0(HfWatchChange, 1);
    change->kind = kind;
    change->path = g_strdup(path);
    change->folder = folder;
    change->time_ms = g_get_real_time() / 1000;
    return change;
}

/* A path that left and did not arrive elsewhere inside the watch counts as deleted. */
static void settle_leaving(HfFileWatch *watch)
{
    HfWatchChange *change = g_steal_pointer(&watch->leaving);
    if (change)
        add_watch_change(watch, change);
}

/* ---- directories ---- */

static int add_inotify_watch(HfFileWatch *watch, int fd, const char *path)
{
    g_autofree char *link = g_strdup_printf("/proc/self/fd/%d", fd);
    if (g_hash_table_size(watch->directories) >= HF_LIMIT_WATCH_DIRECTORIES) {
        errno = ENOSPC;
        return -1;
    }
    int number = inotify_add_watch(watch->inotify, link, WATCHED);
    if (number >= 0)
        g_hash_table_insert(watch->directories, GINT_TO_POINTER(number), g_strdup(path));
    return number;
}

static gboolean watch_tree(HfFileWatch *watch, int fd, const char *path, int depth,
                           gboolean report);
/* Watches the entries of a new directory. FALSE with errno. */
static gboolean watch_entries_below(HfFileWatch *watch, int fd, const char *path, int depth,
                                    gboolean report)
{
    int again = openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *dir = again >= 0 ? fdopendir(again) : NULL;
    struct dirent *entry;
    struct stat info;
    gboolean good = TRUE;
    if (!dir)
        hf_fd_close(&again);
    while (good && dir && (entry = readdir(dir))) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        g_autofree char *below = g_build_filename(path, entry->d_name, NULL);
        if (hf_file_walls_deny_by(watch->denied, below))
            continue;
        g_auto(HfFd) child =
            openat(fd, entry->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
        if (report)
            add_watch_change(watch, watch_change_new(HF_WATCH_CREATE, below, child >= 0));
        if (child >= 0 && watch->recursive && fstat(child, &info) == 0 &&
            (info.st_dev == watch->device || !hf_file_place_is_kernels(child)))
            good = watch_tree(watch, child, below, depth + 1, report);
    }
    if (dir)
        closedir(dir);
    return good;
}

/* Watches before it reads, so that no change is missed in between. */
static gboolean watch_tree(HfFileWatch *watch, int fd, const char *path, int depth, gboolean report)
{
    if (add_inotify_watch(watch, fd, path) < 0)
        return FALSE;
    if (depth >= HF_LIMIT_SEARCH_DEPTH || (!watch->recursive && !report))
        return TRUE;
    return watch_entries_below(watch, fd, path, depth, report);
}

/* Resolves the new directory again, inside the walls. */
static void watch_new_directory(HfFileWatch *watch, const char *path)
{
    g_autoptr(HfFilePlace) place = hf_file_place_find(watch->walls, path, NULL);
    g_auto(HfFd) fd = place && hf_file_place_is_directory(place) && strcmp(place->path, path) == 0
                          ? hf_file_place_open(place, NULL)
                          : -1;
    if (fd >= 0 && !watch_tree(watch, fd, path, 1, TRUE))
        watch->overflow = TRUE;
}

/* ---- events ---- */

static void on_arrive(HfFileWatch *watch, const char *path, gboolean folder, guint32 cookie)
{
    gboolean same = watch->leaving && watch->cookie == cookie;
    if (!same)
        settle_leaving(watch);
    HfWatchChange *change = watch_change_new(same ? HF_WATCH_MOVE : HF_WATCH_CREATE, path, folder);
    if (same)
        change->from = g_steal_pointer(&watch->leaving->path);
    g_clear_pointer(&watch->leaving, watch_change_free);
    add_watch_change(watch, change);
}

static void on_entry(HfFileWatch *watch, const struct inotify_event *event, const char *path)
{
    gboolean folder = (event->mask & IN_ISDIR) != 0;
    if (event->mask & IN_MOVED_FROM) {
        settle_leaving(watch);
        watch->leaving = watch_change_new(HF_WATCH_DELETE, path, folder);
        watch->cookie = event->cookie;
    } else if (event->mask & IN_MOVED_TO)
        on_arrive(watch, path, folder, event->cookie);
    else
        settle_leaving(watch);
    if (event->mask & IN_CREATE)
        add_watch_change(watch, watch_change_new(HF_WATCH_CREATE, path, folder));
    if (event->mask & IN_DELETE)
        add_watch_change(watch, watch_change_new(HF_WATCH_DELETE, path, folder));
    if ((event->mask & (IN_MODIFY | IN_CLOSE_WRITE | IN_ATTRIB)) && !folder)
        add_watch_change(watch, watch_change_new(HF_WATCH_MODIFY, path, FALSE));
    if (folder && watch->recursive && (event->mask & (IN_CREATE | IN_MOVED_TO)))
        watch_new_directory(watch, path);
}

/* A watched directory is gone. If it is the root, the watch ends. */
static void on_self(HfFileWatch *watch, const struct inotify_event *event, const char *path)
{
    gboolean whole = strcmp(path, watch->path) == 0;
    if (event->mask & IN_IGNORED)
        g_hash_table_remove(watch->directories, GINT_TO_POINTER(event->wd));
    if (!whole || watch->gone)
        return;
    watch->gone = TRUE;
    add_watch_change(watch, watch_change_new(HF_WATCH_DELETE, watch->path, TRUE));
    g_cond_broadcast(&watch->changed);
}

static void on_inotify_event(HfFileWatch *watch, const struct inotify_event *event)
{
    if (event->mask & IN_Q_OVERFLOW) {
        watch->overflow = TRUE;
        g_cond_broadcast(&watch->changed);
        return;
    }
    const char *directory = g_hash_table_lookup(watch->directories, GINT_TO_POINTER(event->wd));
    if (!directory)
        return;
    g_autofree char *held = g_strdup(directory);
    if (event->mask & (IN_DELETE_SELF | IN_MOVE_SELF | IN_IGNORED | IN_UNMOUNT)) {
        on_self(watch, event, held);
        return;
    }
    if (event->len == 0 || (watch->name && strcmp(watch->name, event->name) != 0))
        return;
    g_autofree char *path = g_build_filename(held, event->name, NULL);
    if (!hf_file_walls_deny_by(watch->denied, path))
        on_entry(watch, event, path);
}

/* With the lock held: two threads read, and the events have an order. FALSE when there are none. */
static gboolean read_events(HfFileWatch *watch)
{
    char buffer[16384] __attribute__((aligned(__alignof__(struct inotify_event))));
    ssize_t got = read(watch->inotify, buffer, sizeof buffer);
    for (char *at = buffer; got > 0 && at < buffer + got;) {
        const struct inotify_event *event = (const struct inotify_event *)at;
        on_inotify_event(watch, event);
        at += sizeof *event + event->len;
    }
    return got > 0;
}

static gpointer run_path_watch(gpointer data)
{
    HfFileWatch *watch = data;
    struct pollfd fds[] = {{watch->inotify, POLLIN, 0}, {watch->wake, POLLIN, 0}};
    for (;;) {
        g_mutex_lock(&watch->lock);
        gint64 left_ms = (watch->until_us - g_get_monotonic_time()) / 1000;
        int wait_ms = watch->leaving ? MOVE_MS : (int)CLAMP(left_ms + 1, 0, G_MAXINT);
        gboolean stop = watch->stop || left_ms < 0;
        if (stop)
            hf_fd_close(&watch->inotify); /* frees the system's watches; the rest is small */
        g_mutex_unlock(&watch->lock);
        if (stop)
            return NULL;
        int ready = poll(fds, 2, wait_ms);
        g_mutex_lock(&watch->lock);
        if (ready > 0 && fds[0].revents)
            read_events(watch);
        else if (ready == 0)
            settle_leaving(watch);
        g_mutex_unlock(&watch->lock);
    }
}

/* ---- a watch ---- */

/* With the lock held, or before the thread starts. */
static void keep_for(HfFileWatch *watch, gint64 more_us)
{
    watch->until_us =
        g_get_monotonic_time() + more_us + HF_LIMIT_WATCH_KEEP_S * (gint64)G_USEC_PER_SEC;
}

static gboolean fail_add(GError **error)
{
    if (errno != ENOSPC && errno != EMFILE)
        return hf_fail(error, HF_ERROR_STORAGE_FAILED, "cannot watch: %s", g_strerror(errno));
    hf_fail(error, HF_ERROR_LIMIT_EXCEEDED,
            "too many directories to watch (at most %u, and what the system allows)",
            HF_LIMIT_WATCH_DIRECTORIES);
    hf_error_suggest(error, "watch a part of the tree, or set recursive to false");
    return FALSE;
}

/* Opens the directory to watch: the place itself, or a file's directory. */
static int open_watched(HfFileWatch *watch, const HfFilePlace *place, GError **error)
{
    if (hf_file_place_is_directory(place)) {
        watch->path = g_strdup(place->path);
        return hf_file_place_open(place, error);
    }
    g_autofree char *link = g_strdup_printf("/proc/self/fd/%d", place->parent);
    watch->path = g_path_get_dirname(place->path);
    watch->name = g_strdup(place->name);
    watch->recursive = FALSE;
    int fd = open(link, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        hf_file_place_fail("watch", place->asked, errno, error);
    return fd;
}

HfFileWatch *hf_file_watch_new(HfFileWalls *take_walls, const HfFilePlace *place,
                               gboolean recursive, GError **error)
{
    g_autoptr(HfFileWatch) watch = g_new0(HfFileWatch, 1);
    watch->walls = take_walls;
    watch->denied = hf_file_walls_denied_below(take_walls, "/");
    watch->recursive = recursive;
    watch->device = place->info.st_dev;
    watch->inode = place->info.st_ino;
    g_mutex_init(&watch->lock);
    g_cond_init(&watch->changed);
    watch->directories = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    watch->pending = g_ptr_array_new_with_free_func(watch_change_free);
    watch->inotify = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    watch->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (watch->inotify < 0 || watch->wake < 0) {
        fail_add(error);
        return NULL;
    }
    g_auto(HfFd) fd = open_watched(watch, place, error);
    if (fd < 0)
        return NULL;
    g_ptr_array_unref(watch->denied);
    watch->denied = hf_file_walls_denied_below(watch->walls, watch->path);
    if (!watch_tree(watch, fd, watch->path, 0, FALSE)) {
        fail_add(error);
        return NULL;
    }
    keep_for(watch, 0);
    watch->thread = g_thread_new("handfast-watch", run_path_watch, watch);
    return g_steal_pointer(&watch);
}

void hf_file_watch_free(HfFileWatch *watch)
{
    if (!watch)
        return;
    guint64 one = 1;
    g_mutex_lock(&watch->lock);
    watch->stop = TRUE;
    g_mutex_unlock(&watch->lock);
    if (watch->thread && write(watch->wake, &one, sizeof one) == sizeof one)
        g_thread_join(watch->thread);
    hf_fd_close(&watch->inotify);
    hf_fd_close(&watch->wake);
    watch_change_free(watch->leaving);
    g_ptr_array_unref(watch->pending);
    g_hash_table_unref(watch->directories);
    g_ptr_array_unref(watch->denied);
    hf_file_walls_free(watch->walls);
    g_mutex_clear(&watch->lock);
    g_cond_clear(&watch->changed);
    g_free(watch->path);
    g_free(watch->name);
    g_free(watch);
}

void hf_file_watch_set_walls(HfFileWatch *watch, HfFileWalls *take_walls)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&watch->lock);
    g_ptr_array_unref(watch->denied);
    hf_file_walls_free(watch->walls);
    watch->walls = take_walls;
    watch->denied = hf_file_walls_denied_below(take_walls, watch->path);
}

gboolean hf_file_watch_is_of(const HfFileWatch *watch, const HfFilePlace *place)
{
    g_autofree char *path =
        watch->name ? g_build_filename(watch->path, watch->name, NULL) : g_strdup(watch->path);
    return strcmp(path, place->path) == 0;
}

guint hf_file_watch_directories(HfFileWatch *watch)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&watch->lock);
    return g_hash_table_size(watch->directories);
}

/* ---- taking changes ---- */

static gboolean has_changes(const HfFileWatch *watch, HfWatchKind kinds)
{
    if (watch->overflow || watch->gone)
        return TRUE;
    for (guint i = 0; i < watch->pending->len; i++)
        if (((const HfWatchChange *)watch->pending->pdata[i])->kind & kinds)
            return TRUE;
    return FALSE;
}

/* With the lock held. Changes of other kinds are dropped. */
static void take_pending(HfFileWatch *watch, HfWatchKind kinds, guint most, HfWatchBatch *batch)
{
    batch->changes = g_ptr_array_new_with_free_func(watch_change_free);
    batch->overflow = watch->overflow;
    batch->gone = watch->gone;
    watch->overflow = FALSE;
    while (watch->pending->len > 0 && batch->changes->len < most) {
        guint count = MIN(watch->pending->len, most - batch->changes->len);
        g_autoptr(GPtrArray) taken = g_ptr_array_new_with_free_func(watch_change_free);
        for (guint i = 0; i < count; i++)
            g_ptr_array_add(taken, g_steal_pointer(&watch->pending->pdata[i]));
        g_ptr_array_remove_range(watch->pending, 0, count);
        for (guint i = 0; i < count; i++)
            if (((HfWatchChange *)taken->pdata[i])->kind & kinds)
                g_ptr_array_add(batch->changes, g_steal_pointer(&taken->pdata[i]));
    }
    batch->more = has_changes(watch, kinds) && watch->pending->len > 0;
}

/* With the lock held: what happened before the call is in its answer, even if the thread had no
 * turn since. Without time left nothing else will tell whether a path that left arrives elsewhere.
 */
static void read_queued_events(HfFileWatch *watch, const HfDeadline *deadline)
{
    for (int i = 0; i < MAX_READS && read_events(watch); i++)
        continue;
    if (hf_deadline_passed(deadline))
        settle_leaving(watch);
}

static void wake_cancelled_taker(GCancellable *cancellable, gpointer data)
{
    HfFileWatch *watch = data;
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&watch->lock);
    g_cond_broadcast(&watch->changed);
}

/* With the lock held: waits until there is something to report. FALSE if the call was cancelled. */
static gboolean wait_for_watch_changes(HfFileWatch *watch, HfWatchKind kinds, guint quiet_ms,
                                       const HfDeadline *deadline)
{
    gint64 begun_us = 0, quiet = quiet_ms * G_GINT64_CONSTANT(1000);
    while (!g_cancellable_is_cancelled(deadline->cancellable)) {
        gint64 now_us = g_get_monotonic_time(), until_us = deadline->at_us;
        if (has_changes(watch, kinds)) {
            begun_us = begun_us ? begun_us : now_us;
            gint64 settled_us = begun_us + HF_LIMIT_WATCH_SETTLE_MS * G_GINT64_CONSTANT(1000);
            until_us = MIN(until_us, MIN(watch->last_us + quiet, settled_us + quiet));
            if (watch->overflow || watch->gone)
                return TRUE;
        }
        if (now_us >= until_us)
            return TRUE;
        g_cond_wait_until(&watch->changed, &watch->lock, until_us);
    }
    return FALSE;
}

gboolean hf_file_watch_take(HfFileWatch *watch, HfWatchKind kinds, guint quiet_ms, guint most,
                            const HfDeadline *deadline, HfWatchBatch *ret_batch, GError **error)
{
    gulong handler = deadline->cancellable
                         ? g_cancellable_connect(deadline->cancellable,
                                                 G_CALLBACK(wake_cancelled_taker), watch, NULL)
                         : 0;
    g_mutex_lock(&watch->lock);
    keep_for(watch, MAX(deadline->at_us - g_get_monotonic_time(), 0));
    read_queued_events(watch, deadline);
    gboolean good = wait_for_watch_changes(watch, kinds, quiet_ms, deadline);
    if (good)
        take_pending(watch, kinds, most, ret_batch);
    keep_for(watch, 0);
    g_mutex_unlock(&watch->lock);
    g_cancellable_disconnect(deadline->cancellable, handler);
    return good || hf_fail(error, HF_ERROR_DESKTOP_ABORTED, "the call was cancelled");
}
