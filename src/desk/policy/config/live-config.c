/* SPDX-License-Identifier: Apache-2.0 */
/* Swaps whole configs behind a lock. A file that vanishes while the desk runs is ignored: editors
 * move files away before they write, and in that moment the defaults, which may be looser, must not
 * apply. */
#include "desk/policy/config/live-config.h"

#include <errno.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "desk/policy/config/config-file.h"
#include "desk/policy/config/config-path.h"
#include "shared/base/error.h"

/* ---- watching the files ---- inotify on the directory, because replacing a file creates another
 * inode. While the directory does not exist, its nearest existing ancestor is watched. */

/* Editors write in several steps: events within this time are one change. */
#define QUIET_MS 30
#define EVENTS                                                                                     \
    (IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_CREATE | IN_ATTRIB |            \
     IN_DELETE_SELF | IN_MOVE_SELF)

typedef struct FileWatch {
    char **paths;
    GFunc changed;
    gpointer data;
    int inotify_fd, end_fd;
    GThread *thread;
} FileWatch;

static void watch_above(FileWatch *watch, const char *path)
{
    g_autofree char *directory = g_path_get_dirname(path);
    while (inotify_add_watch(watch->inotify_fd, directory, EVENTS | IN_ONLYDIR) < 0 &&
           !g_str_equal(directory, "/")) {
        char *parent = g_path_get_dirname(directory);
        g_free(directory);
        directory = parent;
    }
}

/* Adding an existing watch changes nothing, so this runs after every event. */
static void watch_all(FileWatch *watch)
{
    for (char **path = watch->paths; *path; path++)
        watch_above(watch, *path);
}

/* TRUE: something changed; FALSE: the watch ends. */
static gboolean wait_for_change(FileWatch *watch)
{
    struct pollfd fds[] = {{watch->inotify_fd, POLLIN, 0}, {watch->end_fd, POLLIN, 0}};
    int count = TEMP_FAILURE_RETRY(poll(fds, 2, -1));
    while (count > 0 && !fds[1].revents) {
        char buffer[4096] __attribute__((aligned(8)));
        while (read(watch->inotify_fd, buffer, sizeof buffer) > 0)
            ;
        watch_all(watch);
        count = TEMP_FAILURE_RETRY(poll(fds, 2, QUIET_MS));
        if (count == 0)
            return TRUE;
    }
    return FALSE;
}

static gpointer run_config_watch(gpointer data)
{
    FileWatch *watch = data;
    while (wait_for_change(watch))
        watch->changed(watch->data, NULL);
    return NULL;
}

static FileWatch *file_watch_new(const char *const *paths, GFunc changed, gpointer data)
{
    FileWatch *watch = g_new0(FileWatch, 1);
    watch->paths = g_strdupv((char **)paths);
    watch->changed = changed;
    watch->data = data;
    watch->inotify_fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    watch->end_fd = eventfd(0, EFD_CLOEXEC);
    watch_all(watch);
    watch->thread = g_thread_new("watch", run_config_watch, watch);
    return watch;
}

static void file_watch_free(FileWatch *watch)
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

/* ---- the current configuration ---- */

struct HfLiveConfig {
    char *path, *policy_path;
    GMutex file_lock; /* one reader or writer of the files at a time */
    GMutex lock;      /* guards what follows */
    HfConfig *config;
    GError *problem; /* with the files as they are now */
    gint64 since_us;
    gboolean had_file, had_policy;
    FileWatch *watch;
    HfLiveConfigFunc on_change;
    gpointer data;
};

HfLiveConfig *hf_live_config_new_fixed(HfConfig *take_config)
{
    HfLiveConfig *live = g_new0(HfLiveConfig, 1);
    g_mutex_init(&live->file_lock);
    g_mutex_init(&live->lock);
    live->config = take_config;
    live->since_us = g_get_real_time();
    return live;
}

static gboolean config_path_exists(const char *path)
{
    return g_file_test(path, G_FILE_TEST_EXISTS) || g_file_test(path, G_FILE_TEST_IS_SYMLINK);
}

HfLiveConfig *hf_live_config_new(const char *path, const char *policy_path, GError **error)
{
    HfConfig *config = hf_config_load(path, policy_path, error);
    if (!config)
        return NULL;
    HfLiveConfig *live = hf_live_config_new_fixed(config);
    live->path = g_strdup(path);
    live->policy_path = g_strdup(policy_path);
    live->had_file = config_path_exists(path);
    live->had_policy = config_path_exists(policy_path);
    return live;
}

void hf_live_config_unfollow(HfLiveConfig *live)
{
    if (live)
        g_clear_pointer(&live->watch, file_watch_free);
}

void hf_live_config_free(HfLiveConfig *live)
{
    if (!live)
        return;
    hf_live_config_unfollow(live);
    hf_config_unref(live->config);
    g_clear_error(&live->problem);
    g_mutex_clear(&live->file_lock);
    g_mutex_clear(&live->lock);
    g_free(live->path);
    g_free(live->policy_path);
    g_free(live);
}

HfConfig *hf_live_config_get(HfLiveConfig *live)
{
    g_mutex_lock(&live->lock);
    HfConfig *config = hf_config_ref(live->config);
    g_mutex_unlock(&live->lock);
    return config;
}

static gboolean has_config_vanished(const char *path, gboolean *had, GError **error)
{
    gboolean there = config_path_exists(path);
    if (!there && *had)
        return !hf_fail(
            error, HF_ERROR_CONFIG_INVALID,
            "%s is missing; its settings stay in force until it is back or the desk restarts",
            path);
    *had = there;
    return FALSE;
}

/* Makes a config (or a problem) the current one. TRUE when something is new. */
static gboolean adopt_config(HfLiveConfig *live, HfConfig *take_config, GError *take_problem)
{
    g_mutex_lock(&live->lock);
    const char *before = live->problem ? live->problem->message : NULL;
    const char *now = take_problem ? take_problem->message : NULL;
    gboolean changed = take_config && !g_str_equal(hf_config_get_hash(take_config),
                                                   hf_config_get_hash(live->config));
    gboolean is_new = changed || g_strcmp0(before, now) != 0;
    g_clear_error(&live->problem);
    live->problem = take_problem;
    if (changed) {
        hf_config_unref(live->config);
        live->config = hf_config_ref(take_config);
        live->since_us = g_get_real_time();
    }
    g_mutex_unlock(&live->lock);
    hf_config_unref(take_config);
    return is_new;
}

/* With the file lock held. */
static void reload_config(HfLiveConfig *live)
{
    GError *problem = NULL;
    HfConfig *config = NULL;
    if (!has_config_vanished(live->path, &live->had_file, &problem) &&
        !has_config_vanished(live->policy_path, &live->had_policy, &problem))
        config = hf_config_load(live->path, live->policy_path, &problem);
    g_autoptr(GError) copy = problem ? g_error_copy(problem) : NULL;
    if (!adopt_config(live, config, problem) || !live->on_change)
        return;
    g_autoptr(HfConfig) holds = hf_live_config_get(live);
    live->on_change(holds, copy, live->data);
}

static void on_config_files_changed(gpointer data, gpointer unused)
{
    HfLiveConfig *live = data;
    g_mutex_lock(&live->file_lock);
    reload_config(live);
    g_mutex_unlock(&live->file_lock);
}

void hf_live_config_follow(HfLiveConfig *live, HfLiveConfigFunc on_change, gpointer data)
{
    if (!live->path)
        return;
    g_return_if_fail(!live->watch);
    const char *const paths[] = {live->path, live->policy_path, NULL};
    live->on_change = on_change;
    live->data = data;
    live->watch = file_watch_new(paths, on_config_files_changed, live);
    on_config_files_changed(live, NULL); /* changes from before the watch */
}

gboolean hf_live_config_set_in_file(const char *path, const char *policy_path, const char *field,
                                    json_t *take_value, GError **error)
{
    g_autoptr(json_t) value = take_value;
    g_auto(GStrv) names = hf_config_path_split(field, error);
    g_autoptr(json_t) document = names ? hf_config_file_read(path, error) : NULL;
    g_autoptr(json_t) policy = document ? hf_config_file_read(policy_path, error) : NULL;
    if (!policy)
        return FALSE;
    if (json_is_null(document)) {
        json_decref(document);
        document = json_object();
    }
    if (!hf_config_path_set(document, (const char *const *)names, json_incref(value)))
        return hf_fail(error, HF_ERROR_CONFIG_INVALID,
                       "%s: an existing value that is not an object is in the way of this field",
                       field);
    g_autoptr(HfConfig) config =
        hf_config_new(document, json_is_null(policy) ? NULL : policy, policy_path, error);
    return config && hf_config_file_write(path, document, error);
}

gboolean hf_live_config_set(HfLiveConfig *live, const char *path, json_t *take_value,
                            GError **error)
{
    g_mutex_lock(&live->file_lock);
    gboolean done =
        hf_live_config_set_in_file(live->path, live->policy_path, path, take_value, error);
    if (done)
        reload_config(live);
    g_mutex_unlock(&live->file_lock);
    return done;
}

json_t *hf_live_config_describe(HfLiveConfig *live)
{
    g_mutex_lock(&live->lock);
    json_t *described =
        json_pack("{s:o, s:o, s:s, s:I}", "file", hf_json_text(live->path), "policy",
                  hf_json_text(live->policy_path), "hash", hf_config_get_hash(live->config),
                  "since", (json_int_t)(live->since_us / 1000));
    if (live->problem)
        json_object_set_new(described, "problem", hf_error_to_json(live->problem));
    g_mutex_unlock(&live->lock);
    return described;
}
