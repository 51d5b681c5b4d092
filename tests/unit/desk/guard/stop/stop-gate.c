/* SPDX-License-Identifier: Apache-2.0 */
/* The gate on a real store: who is let through, what is called off and why, what is latched. */
#include "desk/guard/stop/stop-gate.h"

#include <glib/gstdio.h>
#include <sqlite3.h>
#include <unistd.h>

#include "desk/guard/guard-limits.h"
#include "desk/records/store/key-values.h"
#include "shared/base/error.h"
#include "shared/base/remove-tree.h"

typedef struct Fixture {
    char *folder, *path;
    HfStore *store;
    HfStopGate *gate;
} Fixture;

static void open_gate(Fixture *f)
{
    g_autoptr(GError) error = NULL;
    f->store = hf_store_open(f->path, &error);
    g_assert_no_error(error);
    f->gate = hf_stop_gate_new(f->store, &error);
    g_assert_no_error(error);
}

static void close_gate(Fixture *f)
{
    hf_stop_gate_free(g_steal_pointer(&f->gate));
    hf_store_close(g_steal_pointer(&f->store));
}

static void set_up(Fixture *f, gconstpointer data)
{
    f->folder = g_dir_make_tmp("hf-gate-XXXXXX", NULL);
    f->path = g_build_filename(f->folder, "handfast.db", NULL);
    open_gate(f);
}

static void tear_down(Fixture *f, gconstpointer data)
{
    close_gate(f);
    hf_remove_tree(f->folder);
    g_free(f->folder);
    g_free(f->path);
}

/* The code with which such a call is refused, or -1. */
static int try(HfStopGate *gate, const char *desktop, const char *run)
{
    g_autoptr(GError) error = NULL;
    HfStopGatePass *pass =
        hf_stop_gate_enter(gate, (HfStopScope){desktop, run, NULL}, NULL, &error);
    hf_stop_gate_leave(pass, NULL);
    return pass ? -1 : (int)hf_error_code(error);
}

static const HfStopScope all = {NULL};

static void test_holds(Fixture *f, gconstpointer data)
{
    static const struct {
        const char *desktop, *run; /* what is paused */
        int expected[3];           /* of (main, r1), (main, r2), (other, r1) */
    } cases[] = {
        {NULL, NULL, {HF_ERROR_PAUSED, HF_ERROR_PAUSED, HF_ERROR_PAUSED}},
        {"main", NULL, {HF_ERROR_PAUSED, HF_ERROR_PAUSED, -1}},
        {NULL, "r1", {HF_ERROR_PAUSED, -1, HF_ERROR_PAUSED}},
        {"none", NULL, {-1, -1, -1}},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        HfStopScope scope = {cases[i].desktop, cases[i].run};
        g_autoptr(GError) error = NULL;
        g_assert_true(hf_stop_gate_pause(f->gate, scope, "test", NULL));
        g_assert_false(hf_stop_gate_pause(f->gate, scope, "test", NULL));
        g_assert_cmpint(try(f->gate, "main", "r1"), ==, cases[i].expected[0]);
        g_assert_cmpint(try(f->gate, "main", "r2"), ==, cases[i].expected[1]);
        g_assert_cmpint(try(f->gate, "other", "r1"), ==, cases[i].expected[2]);
        g_assert_true(hf_stop_gate_resume(f->gate, scope, &error));
        g_assert_no_error(error);
        g_assert_cmpint(try(f->gate, "main", "r1"), ==, -1);
        g_assert_false(hf_stop_gate_resume(f->gate, scope, &error));
        g_assert_error(error, HF_ERROR, HF_ERROR_CONFLICT);
    }
}

static void test_a_stop_calls_off_and_explains(Fixture *f, gconstpointer data)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GCancellable) request = g_cancellable_new();
    HfStopGatePass *pass =
        hf_stop_gate_enter(f->gate, (HfStopScope){"main", "r1", NULL}, request, NULL);
    g_assert_true(hf_stop_gate_pass_check(pass, NULL));
    g_assert_true(hf_stop_gate_stop(f->gate, "test", "because"));
    g_assert_false(hf_stop_gate_stop(f->gate, "another", NULL));
    g_assert_true(g_cancellable_is_cancelled(hf_stop_gate_pass_get_cancellable(pass)));
    g_assert_false(g_cancellable_is_cancelled(request));
    g_assert_false(hf_stop_gate_pass_check(pass, &error));
    g_clear_error(&error);
    hf_fail(&error, HF_ERROR_OUTCOME_UNKNOWN, "the hand ended");
    hf_error_take_details(&error, json_pack("{s:i}", "characters", 3));
    hf_stop_gate_leave(pass, &error);
    g_assert_error(error, HF_ERROR, HF_ERROR_STOPPED);
    g_autoptr(json_t) json = hf_error_to_json(error);
    const json_t *details = json_object_get(json, "details");
    g_assert_cmpstr(hf_json_string(details, "by", ""), ==, "test");
    g_assert_cmpstr(hf_json_string(details, "reason", ""), ==, "because");
    g_assert_cmpstr(hf_json_string(details, "outcome", ""), ==, "unknown");
    g_assert_cmpint(hf_json_int(json_object_get(details, "done"), "characters", 0), ==, 3);
    g_assert_cmpstr(hf_stop_gate_get_brake(f->gate, "any"), ==, "stop");
}

static void test_a_request_that_is_taken_back(Fixture *f, gconstpointer data)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GCancellable) request = g_cancellable_new();
    HfStopGatePass *pass =
        hf_stop_gate_enter(f->gate, (HfStopScope){"main", "r1", NULL}, request, NULL);
    g_cancellable_cancel(request);
    g_assert_true(g_cancellable_is_cancelled(hf_stop_gate_pass_get_cancellable(pass)));
    hf_fail(&error, HF_ERROR_DESKTOP_ABORTED, "the call was cancelled");
    hf_stop_gate_leave(pass, &error);
    g_assert_cmpstr(error->message, ==, "the call was cancelled");
}

static void test_latched(Fixture *f, gconstpointer data)
{
    g_autoptr(GError) error = NULL;
    hf_stop_gate_stop(f->gate, "test", NULL);
    hf_stop_gate_pause(f->gate, (HfStopScope){.desktop = "main"}, "test", NULL);
    hf_stop_gate_abort(f->gate, (HfStopScope){.run = "r9"}, "test", NULL);
    g_assert_true(hf_stop_gate_persist(f->gate, &error));
    close_gate(f);
    open_gate(f);
    g_assert_cmpint(try(f->gate, "main", "r1"), ==, HF_ERROR_STOPPED);
    /* What is smaller than everything leaves the stop alone. */
    g_assert_true(hf_stop_gate_resume(f->gate, (HfStopScope){.desktop = "main"}, &error));
    g_assert_cmpint(try(f->gate, "main", "r1"), ==, HF_ERROR_STOPPED);
    g_assert_true(hf_stop_gate_resume(f->gate, all, &error));
    close_gate(f);
    open_gate(f);
    g_assert_cmpint(try(f->gate, "main", "r1"), ==, -1);
    g_assert_cmpint(try(f->gate, "main", "r9"), ==, HF_ERROR_DESKTOP_ABORTED);
}

static void test_abort(Fixture *f, gconstpointer data)
{
    HfStopGatePass *one =
        hf_stop_gate_enter(f->gate, (HfStopScope){"main", "r1", NULL}, NULL, NULL);
    HfStopGatePass *other =
        hf_stop_gate_enter(f->gate, (HfStopScope){"main", "r2", NULL}, NULL, NULL);
    g_assert_true(hf_stop_gate_has_other_run(f->gate, "main", "r1"));
    g_assert_cmpuint(hf_stop_gate_abort(f->gate, (HfStopScope){.run = "r1"}, "test", NULL), ==, 1);
    g_assert_false(hf_stop_gate_pass_check(one, NULL));
    g_assert_true(hf_stop_gate_pass_check(other, NULL));
    hf_stop_gate_leave(one, NULL);
    hf_stop_gate_leave(other, NULL);
    g_assert_cmpint(try(f->gate, "main", "r1"), ==, HF_ERROR_DESKTOP_ABORTED);
    g_assert_cmpint(try(f->gate, "main", "r2"), ==, -1);
}

/* A client aborts its own calls in a run, and none of another's. */
static void test_abort_of_own(Fixture *f, gconstpointer data)
{
    HfStopScope own = {"main", "r1", "client one"}, others = {"main", "r1", "client two"};
    HfStopGatePass *one = hf_stop_gate_enter(f->gate, own, NULL, NULL);
    HfStopGatePass *two = hf_stop_gate_enter(f->gate, others, NULL, NULL);
    HfStopScope scope = {.run = "r1", .caller = "client one"};
    g_assert_cmpuint(hf_stop_gate_abort(f->gate, scope, "test", NULL), ==, 1);
    g_assert_false(hf_stop_gate_pass_check(one, NULL));
    g_assert_true(hf_stop_gate_pass_check(two, NULL));
    hf_stop_gate_leave(one, NULL);
    hf_stop_gate_leave(two, NULL);
    g_assert_null(hf_stop_gate_enter(f->gate, own, NULL, NULL));
    two = hf_stop_gate_enter(f->gate, others, NULL, NULL);
    g_assert_nonnull(two);
    hf_stop_gate_leave(two, NULL);
}

/* However many runs a client aborts, those that the owner aborted stay aborted. */
static void test_aborts_of_the_owner_stay(Fixture *f, gconstpointer data)
{
    hf_stop_gate_abort(f->gate, (HfStopScope){.run = "r1"}, "the owner", NULL);
    for (guint i = 0; i < 2 * HF_LIMIT_PAUSES; i++) {
        g_autofree char *run = g_strdup_printf("x%u", i);
        HfStopScope scope = {.run = run, .caller = "client one"};
        hf_stop_gate_abort(f->gate, scope, "test", NULL);
    }
    g_assert_cmpint(try(f->gate, "main", "r1"), ==, HF_ERROR_DESKTOP_ABORTED);
}

static void test_too_many_pauses_pause_all(Fixture *f, gconstpointer data)
{
    for (int i = 0; i < 1100; i++) {
        g_autofree char *run = g_strdup_printf("run-%d", i);
        hf_stop_gate_pause(f->gate, (HfStopScope){.run = run}, "test", NULL);
    }
    g_assert_cmpint(try(f->gate, "main", "run-0"), ==, HF_ERROR_PAUSED);
    g_assert_cmpint(try(f->gate, "main", "anybody"), ==, HF_ERROR_PAUSED);
}

static gint resuming; /* the thread that does */

static gpointer resume_everything(gpointer gate)
{
    g_autoptr(GError) error = NULL;
    g_atomic_int_set(&resuming, (gint)gettid());
    return hf_stop_gate_resume(gate, all, &error) ? NULL
                                                  : GINT_TO_POINTER((int)hf_error_code(error));
}

/* Whether a thread waits for something: here that can only be the disk. */
static gboolean sleeps(gint thread)
{
    g_autofree char *path = g_strdup_printf("/proc/self/task/%d/stat", thread);
    g_autofree char *text = NULL;
    const char *end =
        thread && g_file_get_contents(path, &text, NULL, NULL) ? strrchr(text, ')') : NULL;
    return end && end[2] == 'S';
}

/* While the owner's "go on" is being written, somebody else says "wait": that one is not lost. The
 * disk is kept busy so that it is sure to come in between. */
static void test_a_pause_that_comes_while_it_is_resumed(Fixture *f, gconstpointer data)
{
    sqlite3 *other = NULL;
    g_assert_true(hf_stop_gate_pause(f->gate, (HfStopScope){.run = "r1"}, "test", NULL));
    g_assert_cmpint(sqlite3_open(f->path, &other), ==, SQLITE_OK);
    g_assert_cmpint(sqlite3_exec(other, "BEGIN IMMEDIATE", NULL, NULL, NULL), ==, SQLITE_OK);
    GThread *resume = g_thread_new("resume", resume_everything, f->gate);
    while (!sleeps(g_atomic_int_get(&resuming)))
        g_thread_yield();
    g_assert_true(hf_stop_gate_pause(f->gate, (HfStopScope){.desktop = "main"}, "test", NULL));
    sqlite3_close(other);
    g_assert_cmpint(GPOINTER_TO_INT(g_thread_join(resume)), ==, HF_ERROR_CONFLICT);
    g_assert_cmpint(try(f->gate, "main", "r2"), ==, HF_ERROR_PAUSED);
    close_gate(f);
    open_gate(f);
    g_assert_cmpint(try(f->gate, "main", "r2"), ==, HF_ERROR_PAUSED);
}

/* Something is latched, and nobody can tell what: that is as good as stopped. */
static void test_what_cannot_be_read_stays_shut(Fixture *f, gconstpointer data)
{
    static const char *const names[] = {"stopped", "paused", "aborted"};
    for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(json_t) odd = json_string("yes");
        g_assert_true(hf_key_value_set(f->store, names[i], odd, NULL));
        close_gate(f);
        open_gate(f);
        g_assert_cmpint(try(f->gate, "main", "r1"), ==, HF_ERROR_STOPPED);
        g_assert_true(hf_stop_gate_resume(f->gate, all, &error));
        g_assert_cmpint(try(f->gate, "main", "r1"), ==, -1);
    }
}

static void test_takeover(Fixture *f, gconstpointer data)
{
    g_autoptr(GError) error = NULL;
    gint64 now = g_get_monotonic_time();
    hf_stop_gate_set_takeover(f->gate, 400 * 1000, 3);
    HfStopGatePass *pass =
        hf_stop_gate_enter(f->gate, (HfStopScope){"main", "r1", NULL}, NULL, NULL);
    g_assert_false(hf_stop_gate_note_person_input(f->gate, "main", now, FALSE));
    g_assert_false(hf_stop_gate_is_quiet(pass));
    /* Not long enough, then long enough. */
    HfDeadline soon = hf_deadline_in_ms(50, hf_stop_gate_pass_get_cancellable(pass));
    g_assert_false(hf_stop_gate_await_quiet(pass, &soon, &error));
    g_assert_error(error, HF_ERROR, HF_ERROR_PAUSED);
    g_autoptr(json_t) json = hf_error_to_json(error);
    gint64 left = hf_json_int(json_object_get(json, "details"), "retry_after_ms", 0);
    g_assert_cmpint(left, >, 0);
    g_assert_cmpint(left, <=, 421);
    HfDeadline later = hf_deadline_in_ms(5000, hf_stop_gate_pass_get_cancellable(pass));
    g_assert_true(hf_stop_gate_await_quiet(pass, &later, NULL));
    g_assert_cmpint(g_get_monotonic_time() - now, >=, 400 * 1000);
    g_assert_true(hf_stop_gate_has_input(f->gate, "main"));
    hf_stop_gate_leave(pass, NULL);
}

static void test_interruptions(Fixture *f, gconstpointer data)
{
    static const struct {
        int at_s;
        gboolean working, too_often;
    } touches[] = {
        {0, TRUE, FALSE},    {3, TRUE, FALSE},    /* the same one */
        {100, FALSE, FALSE},                      /* interrupts nothing */
        {200, TRUE, FALSE},  {1000, TRUE, FALSE}, /* more than ten minutes later: the first again */
        {1100, TRUE, FALSE}, {1200, TRUE, TRUE},
    };
    gint64 start = g_get_monotonic_time();
    for (gsize i = 0; i < G_N_ELEMENTS(touches); i++)
        g_assert_cmpint(hf_stop_gate_note_person_input(f->gate, "main",
                                                       start + touches[i].at_s * G_USEC_PER_SEC,
                                                       touches[i].working),
                        ==, touches[i].too_often);
    g_assert_cmpint(try(f->gate, "main", "r1"), ==, HF_ERROR_PAUSED);
    g_assert_cmpint(try(f->gate, "other", "r1"), ==, -1);
    g_assert_true(hf_stop_gate_resume(f->gate, (HfStopScope){.desktop = "main"}, NULL));
    g_assert_cmpint(try(f->gate, "main", "r1"), ==, -1);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
#define ADD(name, function) g_test_add("/gate/" name, Fixture, NULL, set_up, function, tear_down)
    ADD("holds", test_holds);
    ADD("stop", test_a_stop_calls_off_and_explains);
    ADD("request", test_a_request_that_is_taken_back);
    ADD("latched", test_latched);
    ADD("abort", test_abort);
    ADD("abort-of-own", test_abort_of_own);
    ADD("aborts-of-the-owner-stay", test_aborts_of_the_owner_stay);
    ADD("many", test_too_many_pauses_pause_all);
    ADD("a-pause-that-comes-while-it-is-resumed", test_a_pause_that_comes_while_it_is_resumed);
    ADD("what-cannot-be-read-stays-shut", test_what_cannot_be_read_stays_shut);
    ADD("takeover", test_takeover);
    ADD("interruptions", test_interruptions);
    return g_test_run();
}
