/* SPDX-License-Identifier: Apache-2.0 */
/* Twin of shared/base/parallel.c: each part is done once, by nobody but those who may, and all are
 * done. */
#include "shared/base/parallel.h"

#define PARTS 300

typedef struct Work {
    GThread *caller;
    int times[PARTS]; /* each written by one thread only, so without a lock */
    gint elsewhere;
} Work;

static void count(gpointer data, int index)
{
    Work *work = data;
    work->times[index]++;
    if (g_thread_self() != work->caller)
        g_atomic_int_inc(&work->elsewhere);
}

static void test_each_once(void)
{
    static const int counts[] = {0, 1, 2, 3, 8, PARTS}, threads[] = {0, 1, 2, 3, 4, 64};
    for (gsize i = 0; i < G_N_ELEMENTS(counts); i++)
        for (gsize k = 0; k < G_N_ELEMENTS(threads); k++) {
            Work work = {.caller = g_thread_self()};
            hf_parallel_for(threads[k], counts[i], count, &work);
            for (int part = 0; part < PARTS; part++)
                g_assert_cmpint(work.times[part], ==, part < counts[i]);
            if (threads[k] < 2 || counts[i] < 2)
                g_assert_cmpint(work.elsewhere, ==, 0);
        }
}

/* Work that is gone as soon as it is done: a helper that comes too late must not look at it. */
static void test_late_helpers(void)
{
    for (int i = 0; i < 20000; i++) {
        Work *work = g_new0(Work, 1);
        work->caller = g_thread_self();
        hf_parallel_for(4, 2, count, work);
        g_assert_cmpint(work->times[0] + work->times[1], ==, 2);
        g_free(work);
    }
}

typedef struct Meeting {
    GMutex lock;
    GCond changed;
    int here;
} Meeting;

/* Ends when two parts are under way at the same time. */
static void meet(gpointer data, int index)
{
    Meeting *meeting = data;
    gint64 until = g_get_monotonic_time() + 20 * G_USEC_PER_SEC;
    g_mutex_lock(&meeting->lock);
    meeting->here++;
    g_cond_broadcast(&meeting->changed);
    while (meeting->here < 2)
        g_assert_true(g_cond_wait_until(&meeting->changed, &meeting->lock, until));
    g_mutex_unlock(&meeting->lock);
}

static void test_at_the_same_time(void)
{
    if (g_get_num_processors() < 2) {
        g_test_skip("one core only");
        return;
    }
    Meeting meeting = {0};
    hf_parallel_for(2, 2, meet, &meeting);
    g_assert_cmpint(meeting.here, ==, 2);
}

static gpointer run_many(gpointer data)
{
    for (int i = 0; i < 500; i++) {
        Work work = {.caller = g_thread_self()};
        hf_parallel_for(4, 8, count, &work);
        for (int part = 0; part < 8; part++)
            g_assert_cmpint(work.times[part], ==, 1);
    }
    return NULL;
}

static void test_many_callers(void)
{
    GThread *callers[6];
    for (gsize i = 0; i < G_N_ELEMENTS(callers); i++)
        callers[i] = g_thread_new("caller", run_many, NULL);
    for (gsize i = 0; i < G_N_ELEMENTS(callers); i++)
        g_thread_join(callers[i]);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/share/each-once", test_each_once);
    g_test_add_func("/share/late-helpers", test_late_helpers);
    g_test_add_func("/share/at-the-same-time", test_at_the_same_time);
    g_test_add_func("/share/many-callers", test_many_callers);
    return g_test_run();
}
