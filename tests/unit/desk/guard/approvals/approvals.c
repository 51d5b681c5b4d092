/* SPDX-License-Identifier: Apache-2.0 */
/* Questions and answers: who wins a race, what is remembered and how far, what a crash leaves. With
 * a real database and a real audit. */
#include "desk/guard/approvals/approvals.h"

#include <glib/gstdio.h>
#include <utime.h>

#include "desk/guard/guard-limits.h"
#include "desk/records/store/approval-rows.h"
#include "shared/base/error.h"
#include "shared/base/json.h"
#include "shared/base/remove-tree.h"

typedef struct World {
    char *directory;
    HfStore *store;
    HfAudit *audit;
    HfApprovals *approvals;
} World;

static void open_world(World *world)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *path = g_build_filename(world->directory, "test.db", NULL);
    g_autofree char *pictures = g_build_filename(world->directory, "pictures", NULL);
    world->store = hf_store_open(path, &error);
    g_assert_no_error(error);
    world->audit = hf_audit_open(world->store, world->directory, &error);
    g_assert_no_error(error);
    world->approvals = hf_approvals_new(world->store, world->audit, pictures, &error);
    g_assert_no_error(error);
}

static void close_world(World *world)
{
    hf_approvals_free(world->approvals);
    hf_audit_close(world->audit);
    hf_store_close(world->store);
}

static void set_up(World *world, gconstpointer data)
{
    world->directory = g_dir_make_tmp("hf-approvals-XXXXXX", NULL);
    open_world(world);
}

static void tear_down(World *world, gconstpointer data)
{
    close_world(world);
    hf_remove_tree(world->directory);
    g_free(world->directory);
}

/* One call that asks, on a thread of its own. */
typedef struct Asking {
    World *world;
    HfCaller caller;
    json_t *call, *what;
    gint64 timeout_ms;
    GCancellable *cancellable;
    GMutex lock;
    GCond changed;
    char *id; /* once it waits */
    gboolean approved;
    GError *error;
    GThread *thread;
} Asking;

static void on_waiting(const json_t *approval, gpointer data)
{
    Asking *asking = data;
    g_mutex_lock(&asking->lock);
    if (approval)
        asking->id = g_strdup(hf_json_string(approval, "id", NULL));
    g_cond_broadcast(&asking->changed);
    g_mutex_unlock(&asking->lock);
}

static gpointer run_asking(gpointer data)
{
    Asking *asking = data;
    HfApprovalQuestion question = {
        .caller = &asking->caller,
        .call = asking->call,
        .what = asking->what,
        .kept = asking->what,
        .timeout_ms = asking->timeout_ms,
        .cancellable = asking->cancellable,
        .waiting = on_waiting,
        .data = asking,
    };
    g_autofree char *id = NULL;
    asking->approved = hf_approvals_ask(asking->world->approvals, &question, &id, &asking->error);
    return NULL;
}

static void begin(Asking *asking, World *world, pid_t pid, gint64 timeout_ms)
{
    *asking = (Asking){.world = world, .timeout_ms = timeout_ms};
    asking->caller = (HfCaller){.kind = HF_CALLER_CLIENT, .name = "t", .door = "test", .pid = pid};
    asking->call =
        json_pack("{s:s, s:s, s:s, s:s, s:s, s:i, s:i}", "tool", "wait", "project", "p", "caller",
                  "client t", "hash", "h", "pattern", "", "risk", 2, "tainted", 0);
    asking->what = json_pack("{s:s}", "tool", "wait");
    asking->cancellable = g_cancellable_new();
    g_mutex_init(&asking->lock);
    g_cond_init(&asking->changed);
    asking->thread = g_thread_new("asking", run_asking, asking);
    g_mutex_lock(&asking->lock);
    while (!asking->id)
        g_cond_wait(&asking->changed, &asking->lock);
    g_mutex_unlock(&asking->lock);
}

/* What it came to: OK is COUNT. */
static int end(Asking *asking)
{
    g_thread_join(asking->thread);
    int code = asking->approved ? HF_ERROR_COUNT : (int)hf_error_code(asking->error);
    g_clear_error(&asking->error);
    json_decref(asking->call);
    json_decref(asking->what);
    g_object_unref(asking->cancellable);
    g_mutex_clear(&asking->lock);
    g_cond_clear(&asking->changed);
    g_free(asking->id);
    return code;
}

static void test_answers(World *world, gconstpointer data)
{
    Asking asking;
    g_autoptr(GError) error = NULL;
    begin(&asking, world, 1, 60000);
    g_assert_true(hf_approvals_approve(world->approvals, asking.id, "me", NULL, NULL));
    g_assert_cmpint(end(&asking), ==, HF_ERROR_COUNT);
    begin(&asking, world, 1, 60000);
    g_assert_true(hf_approvals_deny(world->approvals, asking.id, "me", "no", NULL));
    g_assert_cmpint(end(&asking), ==, HF_ERROR_APPROVAL_DENIED);
    begin(&asking, world, 1, 60000);
    g_cancellable_cancel(asking.cancellable);
    g_assert_cmpint(end(&asking), ==, HF_ERROR_DESKTOP_ABORTED);
    begin(&asking, world, 1, 1);
    g_assert_cmpint(end(&asking), ==, HF_ERROR_APPROVAL_EXPIRED);
    begin(&asking, world, 1, 60000);
    HfCaller other = {.pid = 2};
    g_assert_false(hf_approvals_cancel(world->approvals, asking.id, &other, &error));
    g_assert_error(error, HF_ERROR, HF_ERROR_FORBIDDEN);
    g_assert_true(hf_approvals_cancel(world->approvals, asking.id, &asking.caller, NULL));
    g_assert_cmpint(end(&asking), ==, HF_ERROR_DESKTOP_ABORTED);
}

typedef struct Answering {
    World *world;
    const char *id;
    gboolean yes, taken;
} Answering;

static gpointer run_answering(gpointer data)
{
    Answering *answering = data;
    HfApprovals *approvals = answering->world->approvals;
    answering->taken = answering->yes
                           ? hf_approvals_approve(approvals, answering->id, "a", NULL, NULL)
                           : hf_approvals_deny(approvals, answering->id, "b", "", NULL);
    return NULL;
}

/* Yes, no, a cancellation and the deadline at once: one of them counts, and all agree which. */
static void test_races(World *world, gconstpointer data)
{
    for (int round = 0; round < 40; round++) {
        Asking asking;
        begin(&asking, world, 1, round % 2 ? 2 : 60000);
        g_autofree char *id = g_strdup(asking.id);
        Answering yes = {world, id, TRUE, FALSE}, no = {world, id, FALSE, FALSE};
        GThread *first = g_thread_new("yes", run_answering, &yes);
        GThread *second = g_thread_new("no", run_answering, &no);
        if (round % 4 > 1)
            g_cancellable_cancel(asking.cancellable);
        g_thread_join(first);
        g_thread_join(second);
        int code = end(&asking);
        g_autoptr(json_t) row = hf_approvals_show(world->approvals, id, NULL, NULL);
        const char *state = hf_json_string(row, "state", "");
        g_assert_cmpint(yes.taken + no.taken, <=, 1);
        g_assert_cmpint(code == HF_ERROR_COUNT, ==, g_str_equal(state, "consumed"));
        g_assert_cmpint(no.taken, ==, g_str_equal(state, "denied"));
        g_assert_true(code != HF_ERROR_COUNT || yes.taken);
        g_assert_cmpstr(state, !=, "pending");
        g_assert_cmpstr(state, !=, "approved"); /* used, or not to be used any more */
    }
}

static const struct {
    const char *scope;
    const char *tool, *project, *caller, *hash, *pattern;
    int risk, tainted;
    gboolean covered;
} calls[] = {
    /* remembered: wait, p, client t, h, no pattern, risk 2, not tainted */
    {"call", "wait", "p", "client t", "h", "", 2, 0, TRUE},
    {"call", "wait", "p", "client t", "other", "", 2, 0, FALSE},
    {"call", "wait", "p", "client u", "h", "", 2, 0, FALSE},
    {"call", "wait", "q", "client t", "h", "", 2, 0, FALSE},
    {"call", "wait", "p", "client t", "h", "", 3, 0, FALSE},
    {"call", "wait", "p", "client t", "h", "", 2, 1, FALSE},
    {"tool", "wait", "p", "client t", "other", "", 1, 0, TRUE},
    {"tool", "hotkey", "p", "client t", "h", "", 2, 0, FALSE},
    {"tool", "wait", "p", "client t", "h", "", 4, 0, FALSE},
    {"tool", "wait", "p", "client u", "h", "", 2, 0, FALSE},
    {"project", "hotkey", "p", "client t", "other", "", 2, 0, TRUE},
    {"project", "hotkey", "q", "client t", "other", "", 2, 0, FALSE},
    {"project", "hotkey", "p", "client t", "other", "", 3, 0, FALSE},
    {"pattern", "wait", "p", "client t", "other", "", 2, 0, TRUE},
    {"pattern", "wait", "p", "client t", "other", "x*", 2, 0, FALSE},
    {"pattern", "hotkey", "p", "client t", "h", "", 2, 0, FALSE},
};

static json_t *new_call(gsize i)
{
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:i, s:i}", "tool", calls[i].tool, "project",
                     calls[i].project, "caller", calls[i].caller, "hash", calls[i].hash, "pattern",
                     calls[i].pattern, "risk", calls[i].risk, "tainted", calls[i].tainted);
}

static void test_memory(World *world, gconstpointer data)
{
    for (gsize i = 0; i < G_N_ELEMENTS(calls); i++) {
        g_autoptr(json_t) asked = new_call(0);
        g_autoptr(json_t) call = new_call(i);
        g_assert_true(
            hf_approvals_remember(world->approvals, asked, calls[i].scope, 60, "me", NULL));
        g_autofree char *found = hf_approvals_find_remembered(world->approvals, call, NULL);
        g_test_message("call %zu", i);
        g_assert_cmpint(found != NULL, ==, calls[i].covered);
        g_autoptr(json_t) all = hf_approvals_memory(world->approvals, NULL);
        g_assert_cmpuint(json_array_size(all), ==, 1);
        const char *id = hf_json_string(json_array_get(all, 0), "id", "");
        g_assert_true(hf_approvals_forget(world->approvals, id, "me", NULL));
        g_assert_false(hf_approvals_forget(world->approvals, id, "me", NULL));
    }
}

static void test_memory_ends(World *world, gconstpointer data)
{
    g_autoptr(json_t) call = new_call(0);
    g_assert_true(hf_approvals_remember(world->approvals, call, "call", 60, "me", NULL));
    gint64 now_ms = g_get_real_time() / 1000;
    g_autofree char *now = hf_memory_row_match(world->store, call, now_ms, NULL);
    g_autofree char *later = hf_memory_row_match(world->store, call, now_ms + 61000, NULL);
    g_assert_nonnull(now);
    g_assert_null(later);
}

static void test_leftovers(World *world, gconstpointer data)
{
    static const char *const states[] = {"pending", "approved"};
    for (gsize i = 0; i < G_N_ELEMENTS(states); i++) {
        g_autoptr(json_t) row = json_pack("{s:s, s:s, s:i, s:i, s:s, s:s, s:{}, s:s}", "id",
                                          states[i], "state", states[i], "made_ms", 1, "expires_ms",
                                          2, "hash", "h", "caller", "c", "what", "picture", "");
        g_assert_true(hf_approval_row_add(world->store, row, NULL));
        close_world(world);
        open_world(world);
        g_autoptr(json_t) left = hf_approvals_show(world->approvals, states[i], NULL, NULL);
        g_assert_cmpstr(hf_json_string(left, "state", ""), ==, "cancelled");
        g_assert_false(hf_approvals_approve(world->approvals, states[i], "me", NULL, NULL));
    }
}

static void test_too_many(World *world, gconstpointer data)
{
    static Asking askings[HF_LIMIT_CALLER_APPROVALS];
    g_autoptr(GError) error = NULL;
    g_autofree char *id = NULL;
    for (guint i = 0; i < HF_LIMIT_CALLER_APPROVALS; i++)
        begin(&askings[i], world, 1, 60000);
    HfApprovalQuestion more = {.caller = &askings[0].caller,
                               .call = askings[0].call,
                               .what = askings[0].what,
                               .kept = askings[0].what,
                               .timeout_ms = 1};
    g_assert_false(hf_approvals_ask(world->approvals, &more, &id, &error));
    g_assert_error(error, HF_ERROR, HF_ERROR_QUEUE_OVERFLOW);
    g_autoptr(json_t) open = hf_approvals_list(world->approvals, FALSE, NULL, NULL);
    g_assert_cmpuint(json_array_size(open), ==, HF_LIMIT_CALLER_APPROVALS);
    for (guint i = 0; i < HF_LIMIT_CALLER_APPROVALS; i++)
        g_cancellable_cancel(askings[i].cancellable);
    for (guint i = 0; i < HF_LIMIT_CALLER_APPROVALS; i++)
        g_assert_cmpint(end(&askings[i]), ==, HF_ERROR_DESKTOP_ABORTED);
}

static void add_row(World *world, const char *id, const char *state, gint64 made_ms)
{
    g_autoptr(json_t) row =
        json_pack("{s:s, s:s, s:I, s:I, s:s, s:s, s:{}, s:s}", "id", id, "state", state, "made_ms",
                  (json_int_t)made_ms, "expires_ms", (json_int_t)made_ms, "hash", "h", "caller",
                  "c", "what", "picture", "jpg");
    g_assert_true(hf_approval_row_add(world->store, row, NULL));
}

/* Old answers go with their pictures; what is open, young, or not ours stays. */
static void test_pruned(World *world, gconstpointer data)
{
    const gint64 day = (gint64)24 * 3600 * 1000, now = g_get_real_time() / 1000;
    static const struct {
        const char *id, *state;
        int days;
        gboolean stays;
    } rows[] = {
        {"a_old", "denied", 31, FALSE},      {"a_used", "consumed", 400, FALSE},
        {"a_expired", "expired", 31, FALSE}, {"a_young", "consumed", 29, TRUE},
        {"a_open", "pending", 400, TRUE},    {"a_approved", "approved", 400, TRUE},
    };
    static const char *const others[] = {"notes.txt", "b_old.jpg"};
    g_autofree char *pictures = g_build_filename(world->directory, "pictures", NULL);
    struct utimbuf long_ago = {0, 1000};
    g_assert_cmpint(g_mkdir_with_parents(pictures, 0700), ==, 0);
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autofree char *path = g_strdup_printf("%s/%s.jpg", pictures, rows[i].id);
        add_row(world, rows[i].id, rows[i].state, now - rows[i].days * day);
        g_assert_true(g_file_set_contents(path, "x", 1, NULL));
        g_assert_cmpint(g_utime(path, &long_ago), ==, 0);
    }
    for (gsize i = 0; i < G_N_ELEMENTS(others); i++) {
        g_autofree char *path = g_build_filename(pictures, others[i], NULL);
        g_assert_true(g_file_set_contents(path, "x", 1, NULL));
        g_assert_cmpint(g_utime(path, &long_ago), ==, 0);
    }
    g_autofree char *fresh = g_build_filename(pictures, "a_being_written.jpg", NULL);
    g_assert_true(g_file_set_contents(fresh, "x", 1, NULL));
    hf_approvals_prune(world->approvals, 30);
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autofree char *path = g_strdup_printf("%s/%s.jpg", pictures, rows[i].id);
        g_autoptr(json_t) row = hf_approval_row_find(world->store, rows[i].id, NULL);
        g_test_message("%s", rows[i].id);
        g_assert_cmpint(row != NULL, ==, rows[i].stays);
        g_assert_cmpint(g_file_test(path, G_FILE_TEST_EXISTS), ==, rows[i].stays);
    }
    for (gsize i = 0; i < G_N_ELEMENTS(others); i++) {
        g_autofree char *path = g_build_filename(pictures, others[i], NULL);
        g_assert_true(g_file_test(path, G_FILE_TEST_EXISTS));
    }
    g_assert_true(g_file_test(fresh, G_FILE_TEST_EXISTS));
    add_row(world, "a_again", "denied", now - 40 * day);
    hf_approvals_prune(world->approvals, 30); /* not twice a day */
    g_autoptr(json_t) again = hf_approval_row_find(world->store, "a_again", NULL);
    g_assert_nonnull(again);
    g_assert_true(hf_approval_rows_prune(world->store, 0, 1, NULL)); /* by number: the latest, */
    g_autoptr(json_t) left = hf_approval_rows_list(world->store, NULL, 100, NULL);
    g_assert_cmpuint(json_array_size(left), ==, 3); /* and the two that are not closed */
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add("/approvals/answers", World, NULL, set_up, test_answers, tear_down);
    g_test_add("/approvals/races", World, NULL, set_up, test_races, tear_down);
    g_test_add("/approvals/memory", World, NULL, set_up, test_memory, tear_down);
    g_test_add("/approvals/memory-ends", World, NULL, set_up, test_memory_ends, tear_down);
    g_test_add("/approvals/leftovers", World, NULL, set_up, test_leftovers, tear_down);
    g_test_add("/approvals/pruned", World, NULL, set_up, test_pruned, tear_down);
    g_test_add("/approvals/too-many", World, NULL, set_up, test_too_many, tear_down);
    return g_test_run();
}
