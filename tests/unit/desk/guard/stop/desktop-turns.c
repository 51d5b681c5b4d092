/* SPDX-License-Identifier: Apache-2.0 */
/* Turns on a desktop: one at a time, first come first served, and nobody blocks by leaving. */
#include "desk/guard/stop/desktop-turns.h"

#include "shared/base/error.h"

static const HfDesktopTurnLimits wide = {1000, 1000};

typedef struct Shared {
    HfDesktopTurns *turns;
    GMutex lock;
    int inside, most, done;
} Shared;

static gpointer work(gpointer data)
{
    Shared *shared = data;
    HfDeadline deadline = hf_deadline_in_ms(120000, NULL);
    for (int i = 0; i < 100; i++) {
        HfDesktopTurn *turn =
            hf_desktop_turns_take(shared->turns, "a", NULL, &wide, &deadline, NULL);
        g_assert_nonnull(turn);
        g_mutex_lock(&shared->lock);
        shared->inside++;
        shared->most = MAX(shared->most, shared->inside);
        g_mutex_unlock(&shared->lock);
        g_thread_yield();
        g_mutex_lock(&shared->lock);
        shared->inside--;
        shared->done++;
        g_mutex_unlock(&shared->lock);
        hf_desktop_turns_leave(shared->turns, turn);
    }
    return NULL;
}

static void test_one_at_a_time(void)
{
    Shared shared = {.turns = hf_desktop_turns_new()};
    GThread *threads[8];
    for (int i = 0; i < 8; i++)
        threads[i] = g_thread_new("work", work, &shared);
    for (int i = 0; i < 8; i++)
        g_thread_join(threads[i]);
    g_assert_cmpint(shared.most, ==, 1);
    g_assert_cmpint(shared.done, ==, 800);
    hf_desktop_turns_free(shared.turns);
}

static void test_desktops_are_apart(void)
{
    HfDesktopTurns *turns = hf_desktop_turns_new();
    HfDeadline deadline = hf_deadline_in_ms(1000, NULL);
    HfDesktopTurn *a = hf_desktop_turns_take(turns, "a", NULL, &wide, &deadline, NULL);
    HfDesktopTurn *b = hf_desktop_turns_take(turns, "b", NULL, &wide, &deadline, NULL);
    g_assert_true(a && b);
    hf_desktop_turns_leave(turns, a);
    hf_desktop_turns_leave(turns, b);
    hf_desktop_turns_free(turns);
}

static void test_time_out_leaves_the_queue(void)
{
    HfDesktopTurns *turns = hf_desktop_turns_new();
    HfDeadline deadline = hf_deadline_in_ms(20, NULL), later = hf_deadline_in_ms(5000, NULL);
    HfDesktopTurn *first = hf_desktop_turns_take(turns, "a", NULL, &wide, &later, NULL);
    g_autoptr(GError) error = NULL;
    g_assert_null(hf_desktop_turns_take(turns, "a", NULL, &wide, &deadline, &error));
    g_assert_error(error, HF_ERROR, HF_ERROR_DESKTOP_TIMEOUT);
    hf_desktop_turns_leave(turns, first);
    HfDesktopTurn *next = hf_desktop_turns_take(turns, "a", NULL, &wide, &later, NULL);
    g_assert_nonnull(next);
    hf_desktop_turns_leave(turns, next);
    hf_desktop_turns_free(turns);
}

static gpointer cancel(gpointer cancellable)
{
    g_cancellable_cancel(cancellable);
    return NULL;
}

static void test_cancel_wakes(void)
{
    HfDesktopTurns *turns = hf_desktop_turns_new();
    g_autoptr(GCancellable) cancellable = g_cancellable_new();
    HfDeadline later = hf_deadline_in_ms(60000, NULL),
               cancelled = hf_deadline_in_ms(60000, cancellable);
    HfDesktopTurn *first = hf_desktop_turns_take(turns, "a", NULL, &wide, &later, NULL);
    GThread *thread = g_thread_new("cancel", cancel, cancellable);
    g_autoptr(GError) error = NULL;
    g_assert_null(hf_desktop_turns_take(turns, "a", NULL, &wide, &cancelled, &error));
    g_assert_error(error, HF_ERROR, HF_ERROR_DESKTOP_ABORTED);
    g_thread_join(thread);
    hf_desktop_turns_leave(turns, first);
    hf_desktop_turns_free(turns);
}

typedef struct Waiting {
    HfDesktopTurns *turns;
    const char *target;
    const HfDesktopTurnLimits *limits;
    GAsyncQueue *done;
    int number, code; /* code: -1 when it had its turn */
} Waiting;

static gpointer wait_for_turn(gpointer data)
{
    Waiting *waiting = data;
    HfDeadline deadline = hf_deadline_in_ms(60000, NULL);
    g_autoptr(GError) error = NULL;
    HfDesktopTurn *turn = hf_desktop_turns_take(waiting->turns, "a", waiting->target,
                                                waiting->limits, &deadline, &error);
    waiting->code = turn ? -1 : (int)hf_error_code(error);
    if (turn)
        hf_desktop_turns_leave(waiting->turns, turn);
    g_async_queue_push(waiting->done, waiting);
    return NULL;
}

/* Six come after another while the desktop is taken; three may wait, or two of one target. */
static void check_overflow(const HfDesktopTurnLimits *limits, const char *const *targets,
                           int dropped, const int *first)
{
    HfDesktopTurns *turns = hf_desktop_turns_new();
    g_autoptr(GAsyncQueue) done = g_async_queue_new();
    HfDeadline deadline = hf_deadline_in_ms(60000, NULL);
    HfDesktopTurn *taken = hf_desktop_turns_take(turns, "a", NULL, limits, &deadline, NULL);
    Waiting waiting[6];
    GThread *threads[6];
    for (int i = 0; i < 6; i++) {
        waiting[i] = (Waiting){turns, targets[i], limits, done, i, 0};
        threads[i] = g_thread_new("wait", wait_for_turn, &waiting[i]);
        /* One after another: it waits, or somebody was dropped for it. */
        while ((int)hf_desktop_turns_count(turns, "a") + g_async_queue_length(done) < i + 2)
            g_thread_yield();
    }
    for (int i = 0; i < dropped; i++) {
        Waiting *out = g_async_queue_pop(done);
        g_assert_cmpint(out->code, ==, HF_ERROR_QUEUE_OVERFLOW);
        g_assert_cmpint(out->number, ==, first[i]);
    }
    hf_desktop_turns_leave(turns, taken);
    for (int i = 0; i < 6; i++)
        g_thread_join(threads[i]);
    int passed = 0;
    for (int i = 0; i < 6; i++)
        passed += waiting[i].code == -1;
    g_assert_cmpint(passed, ==, 6 - dropped);
    hf_desktop_turns_free(turns);
}

static void test_overflow(void)
{
    static const char *const nobody[6] = {0}, *const somebody[6] = {"x", "y", "x", "y", "x", "x"};
    check_overflow(&(HfDesktopTurnLimits){3, 1000}, nobody, 3, (const int[]){0, 1, 2});
    check_overflow(&(HfDesktopTurnLimits){1000, 2}, somebody, 2, (const int[]){0, 2});
    check_overflow(&wide, somebody, 0, NULL);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/turns/one-at-a-time", test_one_at_a_time);
    g_test_add_func("/turns/desktops-are-apart", test_desktops_are_apart);
    g_test_add_func("/turns/time-out", test_time_out_leaves_the_queue);
    g_test_add_func("/turns/overflow", test_overflow);
    g_test_add_func("/turns/cancel", test_cancel_wakes);
    return g_test_run();
}
