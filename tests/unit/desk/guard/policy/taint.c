/* SPDX-License-Identifier: Apache-2.0 */
/* What runs and connections have read: what is shared, what lasts, and that nothing is shed. */
#include "desk/guard/policy/taint.h"

#include "desk/guard/guard-limits.h"
#include "shared/base/remove-tree.h"

typedef struct Place {
    char *folder, *path;
    HfStore *store;
    HfTaint *taint;
} Place;

static void open_place(Place *place)
{
    place->store = hf_store_open(place->path, NULL);
    place->taint = hf_taint_new(place->store);
}

static void close_place(Place *place)
{
    hf_taint_free(place->taint);
    hf_store_close(place->store);
}

static void begin(Place *place, gconstpointer unused)
{
    place->folder = g_dir_make_tmp("hf-taint-XXXXXX", NULL);
    place->path = g_build_filename(place->folder, "handfast.db", NULL);
    open_place(place);
}

static void end(Place *place, gconstpointer unused)
{
    close_place(place);
    hf_remove_tree(place->folder);
    g_free(place->folder);
    g_free(place->path);
}

/* One connection reads under one run; then somebody asks. */
static const struct {
    const char *read_run;
    gboolean read_named;
    const char *asked_run;
    gboolean asked_named;
    gboolean same_connection, after_a_start;
    gboolean tainted;
} cases[] = {
    {"a", TRUE, "a", TRUE, TRUE, FALSE, TRUE},
    {"a", TRUE, "b", TRUE, TRUE, FALSE, TRUE},    /* another name does not shed it */
    {"a", TRUE, "a", TRUE, FALSE, FALSE, TRUE},   /* nor does another connection, */
    {"a", TRUE, "a", TRUE, FALSE, TRUE, TRUE},    /* nor another desk */
    {"a", TRUE, "b", TRUE, FALSE, FALSE, FALSE},  /* others are others */
    {"a", FALSE, "a", TRUE, FALSE, FALSE, FALSE}, /* a run without a name is its connection's */
    {"a", FALSE, "a", FALSE, TRUE, FALSE, TRUE},
    {"a", FALSE, "a", FALSE, FALSE, FALSE, FALSE},
};

static void test_cases(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        Place place = {0};
        gint first = 0, second = 0;
        HfCaller reader = {.reads = &first}, other = {.reads = &second};
        begin(&place, NULL);
        hf_taint_add(place.taint, &reader, cases[i].read_run, cases[i].read_named, HF_READS_SCREEN);
        if (cases[i].after_a_start) {
            close_place(&place);
            open_place(&place);
        }
        const HfCaller *asks = cases[i].same_connection ? &reader : &other;
        HfReads reads = hf_taint_get(place.taint, asks, cases[i].asked_run, cases[i].asked_named);
        g_test_message("case %zu", i);
        g_assert_cmpint(reads, ==, cases[i].tainted ? HF_READS_SCREEN : 0);
        end(&place, NULL);
    }
}

/* It adds up; what no text of others is does not count. */
static void test_adds_up(Place *place, gconstpointer unused)
{
    HfCaller nobody = {0};
    hf_taint_add(place->taint, &nobody, "r", TRUE, HF_READS_NOTHING);
    g_assert_cmpint(hf_taint_get(place->taint, &nobody, "r", TRUE), ==, 0);
    hf_taint_add(place->taint, &nobody, "r", TRUE, HF_READS_FILE);
    hf_taint_add(place->taint, &nobody, "r", TRUE, HF_READS_SHELL);
    g_assert_cmpint(hf_taint_get(place->taint, &nobody, "r", TRUE), ==,
                    HF_READS_FILE | HF_READS_SHELL);
}

/* More runs than are kept in memory: none is forgotten. */
static void test_many_runs(Place *place, gconstpointer unused)
{
    HfCaller nobody = {0};
    hf_taint_add(place->taint, &nobody, "first", TRUE, HF_READS_PAGE);
    for (int i = 0; i < (int)HF_LIMIT_TAINTS_KNOWN + 10; i++) {
        g_autofree char *name = g_strdup_printf("run-%d", i);
        hf_taint_get(place->taint, &nobody, name, TRUE);
    }
    g_assert_cmpint(hf_taint_get(place->taint, &nobody, "first", TRUE), ==, HF_READS_PAGE);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/taint/cases", test_cases);
    g_test_add("/taint/adds-up", Place, NULL, begin, test_adds_up, end);
    g_test_add("/taint/many-runs", Place, NULL, begin, test_many_runs, end);
    return g_test_run();
}
