/* SPDX-License-Identifier: Apache-2.0 */
/* What callers, runs and connections have read: what is shared, what lasts, what ends, and that
 * nothing is shed. */
#include "desk/guard/policy/taint.h"

#include "desk/guard/guard-limits.h"
#include "shared/base/json.h"
#include "shared/base/remove-tree.h"

#define HOUR_MS ((gint64)3600 * 1000)

typedef struct Place {
    char *folder, *path;
    HfStore *store;
    HfTaint *taint;
} Place;

static gint64 pretended_ms = 1000 * HOUR_MS;

static gint64 pretended_clock(void)
{
    return pretended_ms;
}

static void open_place(Place *place)
{
    place->store = hf_store_open(place->path, NULL);
    place->taint = hf_taint_new(place->store, pretended_clock);
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

static HfTaintScope scope_of(const HfCaller *caller, const char *desktop, const char *run_id)
{
    return (HfTaintScope){caller, desktop, run_id, 12 * HOUR_MS};
}

static void read_as(Place *place, const HfCaller *caller, const char *desktop, const char *run_id,
                    HfReads reads)
{
    HfTaintScope scope = scope_of(caller, desktop, run_id);
    hf_taint_add(place->taint, &scope, "screenshot", reads);
}

static HfReads ask_as(Place *place, const HfCaller *caller, const char *desktop, const char *run_id)
{
    HfTaintScope scope = scope_of(caller, desktop, run_id);
    return hf_taint_get(place->taint, &scope).reads;
}

/* A caller reads on the desktop "main", in the run "a" or without a name. Then somebody asks. */
static const struct {
    const char *read_run;
    const char *asked_token, *asked_desktop, *asked_run;
    gboolean same_connection, after_a_start;
    gboolean tainted;
} cases[] = {
    {"a", "one", "main", "a", TRUE, FALSE, TRUE},
    {"a", "one", "main", "b", TRUE, FALSE, TRUE},   /* another name does not shed it, */
    {"a", "one", "main", NULL, FALSE, FALSE, TRUE}, /* nor does another connection, */
    {NULL, "one", "main", NULL, FALSE, FALSE, TRUE},
    {NULL, "one", "main", NULL, FALSE, TRUE, TRUE},   /* nor another desk */
    {NULL, "two", "main", NULL, FALSE, FALSE, FALSE}, /* others are others */
    {NULL, "two", "main", NULL, FALSE, TRUE, FALSE},
    {"a", "two", "main", "a", FALSE, TRUE, TRUE}, /* the run is known everywhere */
    {"a", "two", "main", "b", FALSE, FALSE, FALSE},
    {NULL, "one", "other", NULL, FALSE, FALSE, FALSE}, /* another desktop is another */
    {NULL, "one", "other", NULL, TRUE, FALSE, TRUE},   /* unless the connection has read it */
};

static void test_cases(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        Place place = {0};
        gint first = 0, second = 0;
        HfCaller reader = {.kind = HF_CALLER_CLIENT, .token = "one", .reads = &first},
                 other = {.kind = HF_CALLER_CLIENT, .token = cases[i].asked_token};
        begin(&place, NULL);
        other.reads = cases[i].same_connection ? &first : &second;
        read_as(&place, &reader, "main", cases[i].read_run, HF_READS_SCREEN);
        if (cases[i].after_a_start) {
            close_place(&place);
            open_place(&place);
        }
        g_test_message("case %zu", i);
        g_assert_cmpint(ask_as(&place, &other, cases[i].asked_desktop, cases[i].asked_run), ==,
                        cases[i].tainted ? HF_READS_SCREEN : 0);
        end(&place, NULL);
    }
}

/* It adds up; what no text of others is does not count. */
static void test_adds_up(Place *place, gconstpointer unused)
{
    HfCaller caller = {.kind = HF_CALLER_CLIENT, .token = "one", .name = "o'ne"};
    HfTaintScope scope = scope_of(&caller, "main", "r");
    read_as(place, &caller, "main", "r", HF_READS_NOTHING);
    g_assert_cmpint(ask_as(place, &caller, "main", "r"), ==, 0);
    read_as(place, &caller, "main", "r", HF_READS_FILE);
    gint64 since_ms = pretended_ms;
    pretended_ms += HOUR_MS;
    hf_taint_add(place->taint, &scope, "bash_execute", HF_READS_SHELL);
    HfTaintFacts facts = hf_taint_get(place->taint, &scope);
    g_assert_cmpint(facts.reads, ==, HF_READS_FILE | HF_READS_SHELL);
    g_assert_cmpint(facts.since_ms, ==, since_ms);
    g_assert_cmpstr(facts.tool, ==, "bash_execute");
    g_autoptr(json_t) told = hf_taint_describe(&facts, &caller);
    g_assert_cmpstr(hf_json_string(told, "clear", ""), ==, "handfast taint clear 'o'\\''ne'");
}

/* The owner at a terminal has no mark, only the connection. */
static void test_owner(Place *place, gconstpointer unused)
{
    gint reads = 0;
    HfCaller owner = {.kind = HF_CALLER_OWNER, .reads = &reads}, again = {.kind = HF_CALLER_OWNER};
    read_as(place, &owner, "main", NULL, HF_READS_PAGE);
    g_assert_cmpint(ask_as(place, &owner, "main", NULL), ==, HF_READS_PAGE);
    g_assert_cmpint(ask_as(place, &again, "main", NULL), ==, 0);
}

/* It ends some hours after the last reading, which prolongs it; also over a start. */
static void test_ends(Place *place, gconstpointer unused)
{
    HfCaller caller = {.kind = HF_CALLER_CLIENT, .token = "one"};
    read_as(place, &caller, "main", NULL, HF_READS_PAGE);
    pretended_ms += 11 * HOUR_MS;
    read_as(place, &caller, "main", NULL, HF_READS_PAGE);
    pretended_ms += 11 * HOUR_MS;
    close_place(place);
    open_place(place);
    g_assert_cmpint(ask_as(place, &caller, "main", NULL), ==, HF_READS_PAGE);
    pretended_ms += HOUR_MS;
    g_assert_cmpint(ask_as(place, &caller, "main", NULL), ==, 0);
    g_autoptr(json_t) list = hf_taint_list(place->taint, 12 * HOUR_MS, NULL);
    g_assert_cmpint(json_array_size(list), ==, 0);
    read_as(place, &caller, "main", NULL, HF_READS_SHELL);
    g_assert_cmpint(ask_as(place, &caller, "main", NULL), ==, HF_READS_SHELL);
}

/* Clearing reaches runs and open connections of that caller, and nobody else. */
static void test_clear(Place *place, gconstpointer unused)
{
    gint reads[2] = {0};
    HfCaller one = {.kind = HF_CALLER_CLIENT, .token = "1", .name = "one", .reads = &reads[0]},
             two = {.kind = HF_CALLER_CLIENT, .token = "2", .name = "two", .reads = &reads[1]};
    read_as(place, &one, "main", "r", HF_READS_PAGE);
    read_as(place, &two, "main", NULL, HF_READS_PAGE);
    g_auto(GStrv) keys = hf_taint_dup_keys(place->taint, "one", NULL);
    g_assert_cmpint(g_strv_length(keys), ==, 1);
    g_assert_cmpstr(keys[0], ==, "token 1");
    g_assert_true(hf_taint_clear(place->taint, keys[0], NULL));
    g_assert_cmpint(ask_as(place, &one, "main", "r"), ==, 0);
    g_assert_cmpint(ask_as(place, &two, "main", NULL), ==, HF_READS_PAGE);
    read_as(place, &one, "main", NULL, HF_READS_FILE);
    g_assert_cmpint(ask_as(place, &one, "other", NULL), ==, HF_READS_FILE);
    g_assert_true(hf_taint_clear(place->taint, NULL, NULL));
    g_assert_cmpint(ask_as(place, &one, "main", NULL), ==, 0);
    g_assert_cmpint(ask_as(place, &two, "main", NULL), ==, 0);
    close_place(place);
    open_place(place);
    one.reads = two.reads = NULL;
    g_assert_cmpint(ask_as(place, &two, "main", NULL), ==, 0);
}

/* More runs than are kept in memory: none is forgotten. */
static void test_many_runs(Place *place, gconstpointer unused)
{
    HfCaller nobody = {.kind = HF_CALLER_OWNER};
    read_as(place, &nobody, "main", "first", HF_READS_PAGE);
    for (int i = 0; i < (int)HF_LIMIT_TAINTS_KNOWN + 10; i++) {
        g_autofree char *name = g_strdup_printf("run-%d", i);
        ask_as(place, &nobody, "main", name);
    }
    g_assert_cmpint(ask_as(place, &nobody, "main", "first"), ==, HF_READS_PAGE);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/taint/cases", test_cases);
    g_test_add("/taint/adds-up", Place, NULL, begin, test_adds_up, end);
    g_test_add("/taint/owner", Place, NULL, begin, test_owner, end);
    g_test_add("/taint/ends", Place, NULL, begin, test_ends, end);
    g_test_add("/taint/clear", Place, NULL, begin, test_clear, end);
    g_test_add("/taint/many-runs", Place, NULL, begin, test_many_runs, end);
    return g_test_run();
}
