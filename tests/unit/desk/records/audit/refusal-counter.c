/* SPDX-License-Identifier: Apache-2.0 */
/* Equal refusals get a few rows and then a count, at the end of the window and of the desk; a
 * caller that varies them is bounded as well. */
#include "desk/records/audit/refusal-counter.h"

#include "desk/records/audit/audit-database.h"
#include "desk/records/records-limits.h"
#include "shared/base/json.h"
#include "shared/base/remove-tree.h"

#define LONG_MS 600000

typedef struct Fixture {
    char *folder, *path;
    HfStore *store;
    HfAudit *audit;
} Fixture;

static void set_up(Fixture *f, gconstpointer data)
{
    g_autoptr(GError) error = NULL;
    f->folder = g_dir_make_tmp("hf-refusals-XXXXXX", NULL);
    f->path = g_build_filename(f->folder, "handfast.db", NULL);
    f->store = hf_store_open(f->path, &error);
    g_assert_no_error(error);
    f->audit = hf_audit_open(f->store, f->folder, &error);
    g_assert_no_error(error);
}

static void tear_down(Fixture *f, gconstpointer data)
{
    hf_audit_close(f->audit);
    hf_store_close(f->store);
    hf_remove_tree(f->folder);
    g_free(f->folder);
    g_free(f->path);
}

static const HfCaller one = {.kind = HF_CALLER_CLIENT, .name = "one", .door = "http"};
static const HfCaller two = {.kind = HF_CALLER_CLIENT, .name = "two", .door = "http"};

/* How many of `times` equal refusals are to be written. */
static guint note(HfRefusalCounter *counter, const HfCaller *caller, const char *tool, guint times)
{
    guint written = 0;
    for (guint i = 0; i < times; i++)
        written += hf_refusal_counter_note(counter, caller, tool, HF_ERROR_FORBIDDEN) ? 1 : 0;
    return written;
}

/* The rows with counts. */
static json_t *list_counts(const Fixture *f)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(HfAuditDatabase) database = hf_audit_database_open(f->path, &error);
    g_assert_no_error(error);
    HfAuditFilter filter = {.limit = 10000};
    g_autoptr(json_t) rows = hf_audit_database_rows(database, &filter, &error);
    g_assert_no_error(error);
    json_t *counts = json_array();
    hf_json_each (row, rows)
        if (g_str_equal(hf_json_string(row, "event", ""), "refusals"))
            json_array_append(counts, row);
    return counts;
}

static void test_equal_refusals(Fixture *f, gconstpointer data)
{
    HfRefusalCounter *counter = hf_refusal_counter_new(f->audit, LONG_MS);
    g_assert_cmpuint(note(counter, &one, "mouse_move", 100), ==, HF_LIMIT_EQUAL_REFUSALS);
    g_assert_cmpuint(note(counter, &one, "key_press", 5), ==, 5);
    g_assert_cmpuint(note(counter, &two, "mouse_move", 5), ==, 5);
    g_assert_cmpuint(note(counter, NULL, "bridge", 100), ==, HF_LIMIT_EQUAL_REFUSALS);
    hf_refusal_counter_free(counter);
    g_autoptr(json_t) counts = list_counts(f);
    g_assert_cmpuint(json_array_size(counts), ==, 2);
    hf_json_each (row, counts) {
        const json_t *about = json_object_get(row, "data");
        g_assert_cmpint(hf_json_int(about, "count", 0), ==, 100 - HF_LIMIT_EQUAL_REFUSALS);
        g_assert_cmpstr(hf_json_string(about, "code", ""), ==, "FORBIDDEN");
        g_assert_cmpint(hf_json_int(about, "first", 0), >, 0);
        g_assert_cmpint(hf_json_int(about, "last", 0), >=, hf_json_int(about, "first", 0));
    }
}

static void test_the_end_of_a_window(Fixture *f, gconstpointer data)
{
    g_autoptr(HfRefusalCounter) counter = hf_refusal_counter_new(f->audit, 200);
    note(counter, &one, "mouse_move", 100);
    g_autoptr(json_t) counts = list_counts(f);
    for (int i = 0; i < 1000 && json_array_size(counts) == 0; i++) {
        g_usleep(10000);
        json_decref(counts);
        counts = list_counts(f);
    }
    g_assert_cmpuint(json_array_size(counts), ==, 1);
    g_assert_cmpuint(note(counter, &one, "mouse_move", 1), ==, 1); /* in the next window */
}

/* A caller that tries one tool after the other. */
static void test_many_kinds(Fixture *f, gconstpointer data)
{
    HfRefusalCounter *counter = hf_refusal_counter_new(f->audit, LONG_MS);
    guint written = 0;
    for (guint i = 0; i < 1000; i++) {
        g_autofree char *tool = g_strdup_printf("tool_%u", i);
        written += note(counter, &one, tool, 30);
    }
    g_assert_cmpuint(written, <=, HF_LIMIT_CALLER_REFUSALS);
    g_assert_cmpuint(note(counter, &two, "mouse_move", 1), ==, 1);
    hf_refusal_counter_free(counter);
    g_autoptr(json_t) counts = list_counts(f);
    g_assert_cmpuint(json_array_size(counts), <=, HF_LIMIT_REFUSAL_KINDS + 1);
    gint64 counted = 0;
    hf_json_each (row, counts)
        counted += hf_json_int(json_object_get(row, "data"), "count", 0);
    g_assert_cmpint(counted + written, ==, 30000);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
#define ADD(NAME, TEST) g_test_add("/refusal-counter/" NAME, Fixture, NULL, set_up, TEST, tear_down)
    ADD("equal", test_equal_refusals);
    ADD("end-of-window", test_the_end_of_a_window);
    ADD("many-kinds", test_many_kinds);
    return g_test_run();
}
