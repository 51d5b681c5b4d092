/* SPDX-License-Identifier: Apache-2.0 */
/* Swaps whole configs behind a lock. A file that vanishes while the desk runs is no change: editors
 * move files away before they write them, and in that moment the defaults, which may be looser,
 * must not hold. */
#include "desk/policy/config/live-config.h"

#include "desk/policy/config/config-file.h"
#include "desk/policy/config/config-path.h"
#include "desk/policy/config/config-watch.h"
#include "shared/base/error.h"

struct HfLiveConfig {
    char *path, *policy_path;
    GMutex file_lock; /* one reader or writer of the files at a time */
    GMutex lock;      /* guards what follows */
    HfConfig *config;
    GError *problem; /* with the files as they are now */
    gint64 since_us;
    gboolean had_file, had_policy;
    HfConfigWatch *watch;
    HfLiveConfigFunc told;
    gpointer data;
};

HfLiveConfig *hf_live_config_new_fixed(HfConfig *take_config)
{
    HfLiveConfig *agreement = g_new0(HfLiveConfig, 1);
    g_mutex_init(&agreement->file_lock);
    g_mutex_init(&agreement->lock);
    agreement->config = take_config;
    agreement->since_us = g_get_real_time();
    return agreement;
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
    HfLiveConfig *agreement = hf_live_config_new_fixed(config);
    agreement->path = g_strdup(path);
    agreement->policy_path = g_strdup(policy_path);
    agreement->had_file = config_path_exists(path);
    agreement->had_policy = config_path_exists(policy_path);
    return agreement;
}

void hf_live_config_unfollow(HfLiveConfig *agreement)
{
    if (agreement)
        g_clear_pointer(&agreement->watch, hf_config_watch_free);
}

void hf_live_config_free(HfLiveConfig *agreement)
{
    if (!agreement)
        return;
    hf_live_config_unfollow(agreement);
    hf_config_unref(agreement->config);
    g_clear_error(&agreement->problem);
    g_mutex_clear(&agreement->file_lock);
    g_mutex_clear(&agreement->lock);
    g_free(agreement->path);
    g_free(agreement->policy_path);
    g_free(agreement);
}

HfConfig *hf_live_config_get(HfLiveConfig *agreement)
{
    g_mutex_lock(&agreement->lock);
    HfConfig *config = hf_config_ref(agreement->config);
    g_mutex_unlock(&agreement->lock);
    return config;
}

static gboolean has_config_vanished(const char *path, gboolean *had, GError **error)
{
    gboolean there = config_path_exists(path);
    if (!there && *had)
        return !hf_fail(error, HF_ERROR_CONFIG_INVALID,
                        "%s is gone; what it said holds until it is back or the desk is restarted",
                        path);
    *had = there;
    return FALSE;
}

/* Takes a config (or what is wrong) as what holds from now on. TRUE when anything is new. */
static gboolean adopt_config(HfLiveConfig *agreement, HfConfig *take_config, GError *take_problem)
{
    g_mutex_lock(&agreement->lock);
    const char *before = agreement->problem ? agreement->problem->message : NULL;
    const char *now = take_problem ? take_problem->message : NULL;
    gboolean changed = take_config && !g_str_equal(hf_config_get_hash(take_config),
                                                   hf_config_get_hash(agreement->config));
    gboolean is_new = changed || g_strcmp0(before, now) != 0;
    g_clear_error(&agreement->problem);
    agreement->problem = take_problem;
    if (changed) {
        hf_config_unref(agreement->config);
        agreement->config = hf_config_ref(take_config);
        agreement->since_us = g_get_real_time();
    }
    g_mutex_unlock(&agreement->lock);
    hf_config_unref(take_config);
    return is_new;
}

/* With the file lock held. */
static void reload_config(HfLiveConfig *agreement)
{
    GError *problem = NULL;
    HfConfig *config = NULL;
    if (!has_config_vanished(agreement->path, &agreement->had_file, &problem) &&
        !has_config_vanished(agreement->policy_path, &agreement->had_policy, &problem))
        config = hf_config_load(agreement->path, agreement->policy_path, &problem);
    g_autoptr(GError) copy = problem ? g_error_copy(problem) : NULL;
    if (!adopt_config(agreement, config, problem) || !agreement->told)
        return;
    g_autoptr(HfConfig) holds = hf_live_config_get(agreement);
    agreement->told(holds, copy, agreement->data);
}

static void on_config_files_changed(gpointer data, gpointer unused)
{
    HfLiveConfig *agreement = data;
    g_mutex_lock(&agreement->file_lock);
    reload_config(agreement);
    g_mutex_unlock(&agreement->file_lock);
}

void hf_live_config_follow(HfLiveConfig *agreement, HfLiveConfigFunc told, gpointer data)
{
    if (!agreement->path)
        return;
    g_return_if_fail(!agreement->watch);
    const char *const paths[] = {agreement->path, agreement->policy_path, NULL};
    agreement->told = told;
    agreement->data = data;
    agreement->watch = hf_config_watch_new(paths, on_config_files_changed, agreement);
    on_config_files_changed(agreement, NULL); /* what changed before anyone watched */
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
        return hf_fail(error, HF_ERROR_CONFIG_INVALID, "%s: a value is in the way of that field",
                       field);
    g_autoptr(HfConfig) config =
        hf_config_new(document, json_is_null(policy) ? NULL : policy, policy_path, error);
    return config && hf_config_file_write(path, document, error);
}

gboolean hf_live_config_set(HfLiveConfig *agreement, const char *path, json_t *take_value,
                            GError **error)
{
    g_mutex_lock(&agreement->file_lock);
    gboolean done = hf_live_config_set_in_file(agreement->path, agreement->policy_path, path,
                                               take_value, error);
    if (done)
        reload_config(agreement);
    g_mutex_unlock(&agreement->file_lock);
    return done;
}

json_t *hf_live_config_describe(HfLiveConfig *agreement)
{
    g_mutex_lock(&agreement->lock);
    json_t *described = json_pack("{s:o, s:o, s:s, s:I}", "file", hf_json_text(agreement->path),
                                  "policy", hf_json_text(agreement->policy_path), "hash",
                                  hf_config_get_hash(agreement->config), "since",
                                  (json_int_t)(agreement->since_us / 1000));
    if (agreement->problem)
        json_object_set_new(described, "problem", hf_error_to_json(agreement->problem));
    g_mutex_unlock(&agreement->lock);
    return described;
}
