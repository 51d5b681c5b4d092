/* SPDX-License-Identifier: Apache-2.0 */
/* The live agreement: changes are seen however a file is written, and taken whole or not at all. */
#include "desk/policy/config/live-config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "shared/base/error.h"

typedef struct Place {
    char *folder, *inner, *path, *policy;
    HfLiveConfig *agreement;
    GMutex lock;
    GCond told;
    int times;
    char *problem; /* of the last time */
} Place;

static void on_told(const HfConfigNews *news, gpointer data)
{
    Place *place = data;
    const GError *problem = news->problem;
    g_mutex_lock(&place->lock);
    place->times++;
    g_free(place->problem);
    place->problem = problem ? g_strdup(problem->message) : NULL;
    g_cond_broadcast(&place->told);
    g_mutex_unlock(&place->lock);
}

static void await_times(Place *place, int times)
{
    gint64 end = g_get_monotonic_time() + 20 * G_USEC_PER_SEC;
    g_mutex_lock(&place->lock);
    while (place->times < times)
        g_assert_true(g_cond_wait_until(&place->told, &place->lock, end));
    g_mutex_unlock(&place->lock);
}

static void set_up(Place *place, gconstpointer unused)
{
    place->folder = g_dir_make_tmp("hf-agreement-XXXXXX", NULL);
    place->inner = g_build_filename(place->folder, "handfast", NULL);
    place->path = g_build_filename(place->inner, "config.json", NULL);
    place->policy = g_build_filename(place->folder, "policy.json", NULL);
    g_autoptr(GError) error = NULL;
    place->agreement = hf_live_config_new(place->path, place->policy, &error);
    g_assert_no_error(error);
    hf_live_config_follow(place->agreement, on_told, place);
}

static void tear_down(Place *place, gconstpointer unused)
{
    hf_live_config_free(place->agreement);
    g_remove(place->path);
    g_rmdir(place->inner);
    g_remove(place->policy);
    g_assert_cmpint(g_rmdir(place->folder), ==, 0);
    g_free(place->folder);
    g_free(place->inner);
    g_free(place->path);
    g_free(place->policy);
    g_free(place->problem);
}

static void put(const char *path, const char *text)
{
    g_assert_true(
        g_file_set_contents_full(path, text, -1, G_FILE_SET_CONTENTS_CONSISTENT, 0600, NULL));
}

static void holds(Place *place, const char *path, const char *value)
{
    g_autoptr(HfConfig) config = hf_live_config_get(place->agreement);
    g_assert_cmpstr(hf_config_string(config, path), ==, value);
}

static void test_follows(Place *place, gconstpointer unused)
{
    holds(place, "security.permission_level", "L3");
    g_mkdir(place->inner, 0700); /* the directory comes later than the watch */
    put(place->path, "{\"security\": {\"permission_level\": \"L1\"}}");
    await_times(place, 1);
    g_assert_null(place->problem);
    holds(place, "security.permission_level", "L1");
    put(place->path,
        "{\"security\": {\"permission_level\": \"L9\"}, \"ui\": {\"theme\": \"dark\"}}");
    await_times(place, 2);
    g_assert_nonnull(strstr(place->problem, "security.permission_level"));
    holds(place, "security.permission_level", "L1");
    holds(place, "ui.theme", "system"); /* not even the good half of it */
    g_autoptr(json_t) described = hf_live_config_describe(place->agreement);
    g_assert_nonnull(json_object_get(described, "problem"));
    put(place->path, "{\"security\": {\"permission_level\": \"L2\"}}");
    await_times(place, 3);
    g_assert_null(place->problem);
    holds(place, "security.permission_level", "L2");
    g_autoptr(json_t) again = hf_live_config_describe(place->agreement);
    g_assert_null(json_object_get(again, "problem"));
}

static void test_a_file_that_vanishes_loosens_nothing(Place *place, gconstpointer unused)
{
    g_mkdir(place->inner, 0700);
    put(place->path, "{\"security\": {\"permission_level\": \"L1\"}}");
    await_times(place, 1);
    g_remove(place->path);
    await_times(place, 2);
    g_assert_nonnull(strstr(place->problem, "is missing"));
    holds(place, "security.permission_level", "L1");
    put(place->path, "{\"security\": {\"permission_level\": \"L2\"}}");
    await_times(place, 3);
    holds(place, "security.permission_level", "L2");
}

static void test_policy_comes_later(Place *place, gconstpointer unused)
{
    g_mkdir(place->inner, 0700);
    put(place->path, "{\"security\": {\"permission_level\": \"L4\"}}");
    await_times(place, 1);
    put(place->policy, "{\"security\": {\"permission_level\": \"L2\"}}");
    await_times(place, 2);
    g_assert_nonnull(strstr(place->problem, place->policy));
    holds(place, "security.permission_level", "L4"); /* as before, and told */
    put(place->path, "{}");
    await_times(place, 3);
    holds(place, "security.permission_level", "L2");
    g_autoptr(GError) error = NULL;
    g_assert_false(hf_live_config_set(place->agreement, "security.permission_level",
                                      json_string("L3"), &error));
    g_assert_error(error, HF_ERROR, HF_ERROR_CONFIG_INVALID);
}

static void test_set(Place *place, gconstpointer unused)
{
    g_autoptr(GError) error = NULL;
    g_assert_true(
        hf_live_config_set(place->agreement, "clients.a.level", json_string("L1"), &error));
    g_assert_no_error(error);
    holds(place, "clients.a.level", "L1"); /* at once, not when the file is noticed */
    g_assert_false(hf_live_config_set(place->agreement, "clients.a.level", json_true(), &error));
    holds(place, "clients.a.level", "L1");
}

static gpointer hammer(gpointer data)
{
    Place *place = data;
    for (int i = 0; i < 25; i++)
        g_assert_true(hf_live_config_set(place->agreement, "ui.theme",
                                         json_string(i % 2 ? "dark" : "light"), NULL));
    return NULL;
}

static void test_many_at_once(Place *place, gconstpointer unused)
{
    GThread *threads[4];
    for (int i = 0; i < 4; i++)
        threads[i] = g_thread_new("hammer", hammer, place);
    for (int i = 0; i < 20000; i++) {
        g_autoptr(HfConfig) config = hf_live_config_get(place->agreement);
        g_assert_cmpuint(strlen(hf_config_get_hash(config)), ==, 64);
    }
    for (int i = 0; i < 4; i++)
        g_thread_join(threads[i]);
}

static void test_broken_at_the_start(void)
{
    g_autoptr(GError) error = NULL;
    g_assert_null(hf_live_config_new("/dev/null", "/nonexistent", &error));
    g_assert_error(error, HF_ERROR, HF_ERROR_CONFIG_INVALID);
}

/* What a former desk has accepted decides at the start; what this version cannot read counts as the
 * defaults. */
static void test_holds_at_the_start(void)
{
    static const struct {
        const char *accepted, *level;
    } starts[] = {
        {"null", "L4"},
        {"{}", "L2"},
        {"{\"security\": {\"client_level\": \"L1\"}}", "L1"},
        {"{\"security\": {\"client_level\": \"L4\"}}", "L4"},
        {"{\"security\": {\"wings\": 2}}", "L2"},
    };
    g_autoptr(json_t) file = json_pack("{s:{s:s}}", "security", "client_level", "L4");
    for (gsize i = 0; i < G_N_ELEMENTS(starts); i++) {
        g_autoptr(json_t) accepted = json_loads(starts[i].accepted, JSON_DECODE_ANY, NULL);
        g_autoptr(HfLiveConfig) live =
            hf_live_config_new_fixed(hf_config_new(file, NULL, NULL, NULL));
        g_autoptr(json_t) loosened = hf_live_config_hold(live, accepted, FALSE);
        g_autoptr(HfConfig) config = hf_live_config_get(live);
        g_assert_null(loosened);
        g_assert_cmpstr(hf_config_string(config, "security.client_level"), ==, starts[i].level);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/agreement/holds-at-the-start", test_holds_at_the_start);
    g_test_add("/agreement/follows", Place, NULL, set_up, test_follows, tear_down);
    g_test_add("/agreement/vanishes", Place, NULL, set_up,
               test_a_file_that_vanishes_loosens_nothing, tear_down);
    g_test_add("/agreement/policy", Place, NULL, set_up, test_policy_comes_later, tear_down);
    g_test_add("/agreement/set", Place, NULL, set_up, test_set, tear_down);
    g_test_add("/agreement/many", Place, NULL, set_up, test_many_at_once, tear_down);
    g_test_add_func("/agreement/broken", test_broken_at_the_start);
    return g_test_run();
}
