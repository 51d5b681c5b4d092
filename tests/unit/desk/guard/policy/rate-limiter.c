/* SPDX-License-Identifier: Apache-2.0 */
/* Limits by the minute and by the day, with clocks that the test sets. */
#include "desk/guard/policy/rate-limiter.h"

#include <glib/gstdio.h>

#include "desk/guard/guard-limits.h"
#include "shared/base/error.h"
#include "shared/base/json.h"

#define SECOND ((gint64)G_USEC_PER_SEC)

static gint64 monotonic, real;

static gint64 get_monotonic(void)
{
    return monotonic;
}

static gint64 get_real(void)
{
    return real;
}

static const HfRateLimiterClock test_clock = {get_monotonic, get_real};

typedef struct Place {
    char *folder, *path;
    HfStore *store;
    HfRateLimiter *paces;
} Place;

static void set_up(Place *place, gconstpointer unused)
{
    g_setenv("TZ", "Asia/Shanghai", TRUE);
    place->folder = g_dir_make_tmp("hf-pace-XXXXXX", NULL);
    place->path = g_build_filename(place->folder, "handfast.db", NULL);
    place->store = hf_store_open(place->path, NULL);
    place->paces = hf_rate_limiter_new(place->store, &test_clock);
    monotonic = 5 * SECOND;
    real = 1800000000 * SECOND; /* 2027-01-15 16:00 in Shanghai */
}

static void tear_down(Place *place, gconstpointer unused)
{
    static const char *const suffixes[] = {"", "-wal", "-shm"};
    hf_rate_limiter_free(place->paces);
    hf_store_close(place->store);
    for (gsize i = 0; i < G_N_ELEMENTS(suffixes); i++) {
        g_autofree char *path = g_strconcat(place->path, suffixes[i], NULL);
        g_remove(path);
    }
    g_rmdir(place->folder);
    g_free(place->folder);
    g_free(place->path);
}

/* How many of 10,000 tries are let through; the last refusal's wait. */
static int drain(Place *place, const HfRateLimit *limits, gsize count, gint64 *ret_wait_ms)
{
    for (int passed = 0; passed < 10000; passed++) {
        g_autoptr(GError) error = NULL;
        if (hf_rate_limiter_take(place->paces, limits, count, &error))
            continue;
        g_assert_error(error, HF_ERROR, HF_ERROR_RATE_LIMITED);
        g_autoptr(json_t) wire = hf_error_to_json(error);
        if (ret_wait_ms)
            *ret_wait_ms = hf_json_int(json_object_get(wire, "details"), "retry_after_ms", -1);
        return passed;
    }
    return 10000;
}

static void test_minute(Place *place, gconstpointer unused)
{
    HfRateLimit limit = {"all tasks", 30, 0};
    gint64 wait = 0;
    g_assert_cmpint(drain(place, &limit, 1, &wait), ==, 30);
    g_assert_cmpint(wait, >, 1990);
    g_assert_cmpint(wait, <=, 2001);
    monotonic += wait * 1000;
    g_assert_cmpint(drain(place, &limit, 1, NULL), ==, 1); /* as promised, and no more */
    real += 3600 * SECOND;                                 /* setting the clock frees nobody */
    g_assert_cmpint(drain(place, &limit, 1, NULL), ==, 0);
    monotonic += 3600 * SECOND;
    g_assert_cmpint(drain(place, &limit, 1, NULL), ==, 30); /* nothing is saved up */
    limit.per_minute = 60;
    g_assert_cmpint(drain(place, &limit, 1, NULL), ==, 0);
    limit.per_minute = 2;
    monotonic += 60 * SECOND;
    g_assert_cmpint(drain(place, &limit, 1, NULL), ==, 2);
}

static void test_day(Place *place, gconstpointer unused)
{
    HfRateLimit limit = {"all tasks", 0, 100};
    gint64 wait = 0;
    g_assert_cmpint(drain(place, &limit, 1, &wait), ==, 100);
    g_assert_cmpint(wait, ==, 8 * 3600 * 1000); /* the owner's midnight */
    monotonic += 10 * 3600 * SECOND;
    g_assert_cmpint(drain(place, &limit, 1, NULL), ==, 0);
    hf_rate_limiter_free(place->paces);
    hf_store_close(place->store);
    place->store = hf_store_open(place->path, NULL);
    place->paces = hf_rate_limiter_new(place->store, &test_clock);
    g_assert_cmpint(drain(place, &limit, 1, NULL), ==, 0); /* also after a restart */
    real += wait * 1000;
    g_assert_cmpint(drain(place, &limit, 1, NULL), ==, 100);
}

static void test_all_or_none(Place *place, gconstpointer unused)
{
    HfRateLimit narrow[] = {{"all tasks", 30, 100}, {"target 'x'", 3, 10}};
    HfRateLimit other[] = {{"all tasks", 30, 100}, {"target 'y'", 3, 10}};
    g_assert_cmpint(drain(place, narrow, 2, NULL), ==, 3);
    g_assert_cmpint(drain(place, other, 2, NULL), ==, 3);
    g_assert_cmpint(drain(place, narrow, 1, NULL), ==, 24); /* refused ones took nothing */
    monotonic += 600 * SECOND;
    g_assert_cmpint(drain(place, narrow, 2, NULL), ==, 3);
    monotonic += 600 * SECOND;
    g_assert_cmpint(drain(place, narrow, 2, NULL), ==, 3);
    monotonic += 600 * SECOND;
    g_assert_cmpint(drain(place, narrow, 2, NULL), ==, 1); /* the day's tenth */
}

static void test_no_limit(Place *place, gconstpointer unused)
{
    HfRateLimit limit = {"all tasks", 0, 0};
    g_assert_cmpint(drain(place, &limit, 1, NULL), ==, 10000);
}

/* Names that callers make up do not fill the memory, and do not free the names in use. */
static void test_many_names(Place *place, gconstpointer unused)
{
    HfRateLimit used = {"target 'used'", 3, 0};
    g_assert_cmpint(drain(place, &used, 1, NULL), ==, 3);
    for (guint i = 0; i < 3 * HF_LIMIT_RATE_LIMIT_BUCKETS; i++) {
        g_autofree char *name = g_strdup_printf("target '%u'", i);
        HfRateLimit limit = {name, 3000, 0};
        monotonic += 1000;
        g_assert_true(hf_rate_limiter_take(place->paces, &limit, 1, NULL));
    }
    g_assert_cmpint(drain(place, &used, 1, NULL), ==, 0);
}

typedef struct Taker {
    Place *place;
    int passed;
} Taker;

static gpointer take_many(gpointer data)
{
    Taker *taker = data;
    HfRateLimit limit = {"all tasks", 30, 25};
    for (int i = 0; i < 20; i++)
        taker->passed += hf_rate_limiter_take(taker->place->paces, &limit, 1, NULL);
    return NULL;
}

static void test_exact(Place *place, gconstpointer unused)
{
    Taker takers[4] = {{place, 0}, {place, 0}, {place, 0}, {place, 0}};
    GThread *threads[4];
    for (int i = 0; i < 4; i++)
        threads[i] = g_thread_new("take", take_many, &takers[i]);
    int passed = 0;
    for (int i = 0; i < 4; i++) {
        g_thread_join(threads[i]);
        passed += takers[i].passed;
    }
    g_assert_cmpint(passed, ==, 25);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add("/pace/minute", Place, NULL, set_up, test_minute, tear_down);
    g_test_add("/pace/day", Place, NULL, set_up, test_day, tear_down);
    g_test_add("/pace/all-or-none", Place, NULL, set_up, test_all_or_none, tear_down);
    g_test_add("/pace/no-limit", Place, NULL, set_up, test_no_limit, tear_down);
    g_test_add("/pace/many-names", Place, NULL, set_up, test_many_names, tear_down);
    g_test_add("/pace/exact", Place, NULL, set_up, test_exact, tear_down);
    return g_test_run();
}
