/* SPDX-License-Identifier: Apache-2.0 */
/* Swaps whole configs behind a lock. Each reload is compared with what holds, so tightening cannot
 * be taken back without the owner either. A file that vanishes while the desk runs is ignored:
 * editors move files away before they write, and in that moment the defaults, which may be looser,
 * must not apply. */
#include "desk/policy/config/live-config.h"

#include <errno.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "desk/policy/config/config-file.h"
#include "desk/policy/config/config-loosening.h"
#include "desk/policy/config/config.h"
#include "shared/base/error.h"
#include "shared/base/json.h"

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
    json_t *held;      /* changes that wait for the owner; NULL: none */
    char *wanted_hash; /* of the configuration that the files ask for */
    gboolean holds_back;
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
    live->wanted_hash = g_strdup(hf_config_get_hash(take_config));
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
    json_decref(live->held);
    g_free(live->wanted_hash);
    g_mutex_clear(&live->file_lock);
    g_mutex_clear(&live->lock);
    g_free(live->path);
    g_free(live->policy_path);
    g_free(live);
}

HfConfig *hf_live_config_get(HfLiveConfig *live)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&live->lock);
    return hf_config_ref(live->config);
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

/* What the files ask for, and what of it takes effect. */
typedef struct Reload {
    HfConfig *config; /* NULL: there is a problem */
    json_t *held;     /* NULL: nothing */
    char *wanted_hash;
    GError *problem;
} Reload;

static void reload_clear(Reload *reload)
{
    hf_config_unref(reload->config);
    json_decref(reload->held);
    g_free(reload->wanted_hash);
    g_clear_error(&reload->problem);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Reload, reload_clear)

/* Makes it the current one. TRUE when something is new. */
static gboolean adopt_config(HfLiveConfig *live, const Reload *reload)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&live->lock);
    const char *before = live->problem ? live->problem->message : NULL;
    const char *now = reload->problem ? reload->problem->message : NULL;
    HfConfig *config = reload->config;
    gboolean changed =
        config && !g_str_equal(hf_config_get_hash(config), hf_config_get_hash(live->config));
    gboolean is_new =
        changed || g_strcmp0(before, now) != 0 ||
        (config && reload->held != live->held && !json_equal(reload->held, live->held));
    g_clear_error(&live->problem);
    live->problem = reload->problem ? g_error_copy(reload->problem) : NULL;
    if (changed) {
        hf_config_unref(live->config);
        live->config = hf_config_ref(config);
        live->since_us = g_get_real_time();
    }
    if (config) {
        json_decref(live->held);
        live->held = json_incref(reload->held);
        g_free(live->wanted_hash);
        live->wanted_hash = g_strdup(reload->wanted_hash);
    }
    return is_new;
}

/* Replaces the config of the reload by what takes effect of it. */
static void hold_back(const HfConfig *accepted, Reload *reload, const char *free_field)
{
    g_autoptr(json_t) held = json_array();
    g_autoptr(json_t) free_fields = json_copy((json_t *)hf_config_get_locked(reload->config));
    if (free_field)
        json_array_append_new(free_fields, hf_json_text(free_field));
    json_t *merged = hf_config_hold_loosening(
        hf_config_document(accepted), hf_config_document(reload->config), free_fields, held);
    HfConfig *effective = hf_config_new_changed(reload->config, merged);
    if (json_array_size(held) > 0) {
        hf_config_unref(reload->config);
        reload->config = effective;
        reload->held = g_steal_pointer(&held);
    } else {
        hf_config_unref(effective);
    }
}

typedef enum Accept {
    ACCEPT_TIGHTENING, /* all else is held back */
    ACCEPT_ALL,
} Accept;

static void read_config_files(HfLiveConfig *live, Accept accept, const char *free_field,
                              Reload *ret_reload)
{
    *ret_reload = (Reload){0};
    if (!has_config_vanished(live->path, &live->had_file, &ret_reload->problem) &&
        !has_config_vanished(live->policy_path, &live->had_policy, &ret_reload->problem))
        ret_reload->config = hf_config_load(live->path, live->policy_path, &ret_reload->problem);
    if (!ret_reload->config)
        return;
    ret_reload->wanted_hash = g_strdup(hf_config_get_hash(ret_reload->config));
    g_autoptr(HfConfig) accepted = hf_live_config_get(live);
    if (live->holds_back && accept == ACCEPT_TIGHTENING)
        hold_back(accepted, ret_reload, free_field);
}

static void adopt_and_tell(HfLiveConfig *live, const Reload *reload)
{
    g_autoptr(json_t) before = json_incref(live->held);
    if (!adopt_config(live, reload) || !live->on_change)
        return;
    g_autoptr(HfConfig) holds = hf_live_config_get(live);
    gboolean newly = reload->held && !(before && json_equal(before, reload->held));
    live->on_change(&(HfConfigNews){holds, reload->problem, newly ? reload->held : NULL},
                    live->data);
}

/* With the file lock held. */
static void reload_config(HfLiveConfig *live, const char *free_field)
{
    g_auto(Reload) reload;
    read_config_files(live, ACCEPT_TIGHTENING, free_field, &reload);
    adopt_and_tell(live, &reload);
}

/* ---- holding back ---- */

json_t *hf_live_config_hold(HfLiveConfig *live, const json_t *accepted, gboolean in_person)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&live->file_lock);
    g_autoptr(HfConfig) before =
        json_is_object(accepted) ? hf_config_new(accepted, NULL, NULL, NULL) : NULL;
    live->holds_back = TRUE;
    if (!json_is_object(accepted))
        return NULL;
    if (!before) /* of another version, and not valid in this one */
        before = hf_config_new_default();
    g_auto(Reload)
        reload = {.config = hf_live_config_get(live), .wanted_hash = g_strdup(live->wanted_hash)};
    hold_back(before, &reload, NULL);
    if (in_person)
        return g_steal_pointer(&reload.held);
    adopt_config(live, &reload);
    return NULL;
}

json_t *hf_live_config_dup_accepted(HfLiveConfig *live)
{
    g_autoptr(HfConfig) config = hf_live_config_get(live);
    return hf_config_dup_without_defaults(hf_config_document(config));
}

json_t *hf_live_config_describe_held(HfLiveConfig *live)
{
    if (live->path) {
        g_autoptr(GMutexLocker) files = g_mutex_locker_new(&live->file_lock);
        reload_config(live, NULL);
    }
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&live->lock);
    return json_pack("{s:o, s:s}", "held", live->held ? json_deep_copy(live->held) : json_array(),
                     "hash", live->wanted_hash);
}

gboolean hf_live_config_accept(HfLiveConfig *live, const char *hash, GError **error)
{
    g_autoptr(GMutexLocker) files = g_mutex_locker_new(&live->file_lock);
    g_auto(Reload) reload;
    read_config_files(live, ACCEPT_ALL, NULL, &reload);
    if (!reload.config) {
        g_propagate_error(error, g_steal_pointer(&reload.problem));
        return FALSE;
    }
    if (!g_str_equal(reload.wanted_hash, hash)) {
        hf_fail(error, HF_ERROR_CONFLICT, "the configuration has changed since it was shown");
        hf_error_suggest(error, "look at it again: handfast config accept");
        return FALSE;
    }
    adopt_and_tell(live, &reload);
    return TRUE;
}

/* ---- following the files ---- */

static void on_config_files_changed(gpointer data, gpointer unused)
{
    HfLiveConfig *live = data;
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&live->file_lock);
    reload_config(live, NULL);
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

/* The path as hf_config_path_join() writes it, with no more quotes than needed. */
static char *dup_plain_path(const char *path)
{
    g_auto(GStrv) names = hf_config_path_split(path, NULL);
    g_autofree char *plain = g_strdup("");
    for (char **name = names; name && *name; name++) {
        char *longer = hf_config_path_join(plain, *name);
        g_free(plain);
        plain = longer;
    }
    return g_steal_pointer(&plain);
}

gboolean hf_live_config_set(HfLiveConfig *live, const char *path, json_t *take_value,
                            GError **error)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&live->file_lock);
    gboolean done =
        hf_live_config_set_in_file(live->path, live->policy_path, path, take_value, error);
    g_autofree char *field = done ? dup_plain_path(path) : NULL;
    if (done)
        reload_config(live, field);
    return done;
}

static json_t *list_held_fields(const json_t *held)
{
    json_t *fields = json_array();
    hf_json_each (change, held)
        json_array_append(fields, json_object_get(change, "field"));
    return fields;
}

json_t *hf_live_config_describe(HfLiveConfig *live)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&live->lock);
    json_t *described =
        json_pack("{s:o, s:o, s:s, s:I}", "file", hf_json_text(live->path), "policy",
                  hf_json_text(live->policy_path), "hash", hf_config_get_hash(live->config),
                  "since", (json_int_t)(live->since_us / 1000));
    if (live->problem)
        json_object_set_new(described, "problem", hf_error_to_json(live->problem));
    if (live->held)
        json_object_set_new(described, "held", list_held_fields(live->held));
    return described;
}
