/* SPDX-License-Identifier: Apache-2.0 */
/* Held calls: nothing goes on before it is let go, whichever side is first, and only the call that
 * was meant. The hand is a process of its own. */
#include "shared/wire/hold-table.h"

#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "shared/base/error.h"
#include "shared/wire/wire-limits.h"

typedef struct Pair {
    HfHoldTable *desk, *hand;
} Pair;

static void set_up(Pair *pair, gconstpointer data)
{
    g_autoptr(GError) error = NULL;
    int ends[2];
    g_assert_cmpint(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), ==, 0);
    pair->desk = hf_hold_table_new(&error);
    g_assert_no_error(error);
    g_assert_true(hf_hold_table_send(pair->desk, ends[0], &error));
    pair->hand = hf_hold_table_receive(ends[1], &error);
    g_assert_no_error(error);
    close(ends[0]);
    close(ends[1]);
}

static void tear_down(Pair *pair, gconstpointer data)
{
    hf_hold_table_free(pair->desk);
    hf_hold_table_free(pair->hand);
}

/* 0: let go; otherwise the code of the error. */
static int wait_for(HfHoldTable *hand, int place, gint64 id, int milliseconds)
{
    g_autoptr(GError) error = NULL;
    HfDeadline deadline = hf_deadline_in_ms(milliseconds, NULL);
    return hf_hold_table_wait(hand, place, id, &deadline, &error) ? 0 : (int)hf_error_code(error);
}

static void test_let_go_before(Pair *pair, gconstpointer data)
{
    int place = hf_hold_table_hold(pair->desk, 7);
    hf_hold_table_release(pair->desk, place, 7);
    g_assert_cmpint(wait_for(pair->hand, place, 7, 1000), ==, 0);
    g_assert_cmpint(wait_for(pair->hand, place, 7, 1000), ==, 0); /* may be asked again */
}

static gpointer wait_in_thread(gpointer data)
{
    return GINT_TO_POINTER(wait_for(data, 0, 7, 10000));
}

static void test_let_go_after(Pair *pair, gconstpointer data)
{
    for (int i = 0; i < 200; i++) {
        g_assert_cmpint(hf_hold_table_hold(pair->desk, 7), ==, 0);
        GThread *thread = g_thread_new("hand", wait_in_thread, pair->hand);
        g_usleep((gulong)g_random_int_range(0, 300));
        hf_hold_table_release(pair->desk, 0, 7);
        g_assert_cmpint(GPOINTER_TO_INT(g_thread_join(thread)), ==, 0);
        hf_hold_table_free_slot(pair->desk, 0);
    }
}

/* What is not let go is not done: not in time, not after a death of the desk. */
static void test_never_let_go(Pair *pair, gconstpointer data)
{
    int place = hf_hold_table_hold(pair->desk, 7);
    g_assert_cmpint(wait_for(pair->hand, place, 7, 30), ==, HF_ERROR_DESKTOP_TIMEOUT);
    g_autoptr(GCancellable) cancellable = g_cancellable_new();
    g_autoptr(GError) error = NULL;
    HfDeadline deadline = hf_deadline_in_ms(10000, cancellable);
    g_cancellable_cancel(cancellable);
    g_assert_false(hf_hold_table_wait(pair->hand, place, 7, &deadline, &error));
    g_assert_error(error, HF_ERROR, HF_ERROR_DESKTOP_ABORTED);
    hf_hold_table_release(pair->desk, place, 7);
    g_clear_error(&error);
    g_assert_false(hf_hold_table_wait(pair->hand, place, 7, &deadline, &error)); /* too late */
}

static void test_other_call(Pair *pair, gconstpointer data)
{
    int place = hf_hold_table_hold(pair->desk, 8);
    g_assert_cmpint(wait_for(pair->hand, place, 7, 1000), ==, HF_ERROR_INTERNAL);
    hf_hold_table_release(pair->desk, place, 8);
    g_assert_cmpint(wait_for(pair->hand, place, 7, 1000), ==, HF_ERROR_INTERNAL);
    g_assert_cmpint(wait_for(pair->hand, -1, 7, 1000), ==, HF_ERROR_INTERNAL);
    g_assert_cmpint(wait_for(pair->hand, HF_LIMIT_HELD_CALLS, 7, 1000), ==, HF_ERROR_INTERNAL);
}

static void test_places(Pair *pair, gconstpointer data)
{
    for (int i = 0; i < HF_LIMIT_HELD_CALLS; i++)
        g_assert_cmpint(hf_hold_table_hold(pair->desk, i + 1), ==, i);
    g_assert_cmpint(hf_hold_table_hold(pair->desk, 1000), ==, -1);
    hf_hold_table_free_slot(pair->desk, 5);
    g_assert_cmpint(hf_hold_table_hold(pair->desk, 1000), ==, 5);
}

static void test_processes(Pair *pair, gconstpointer data)
{
    int status;
    g_assert_cmpint(hf_hold_table_hold(pair->desk, 7), ==, 0);
    pid_t child = fork();
    if (child == 0)
        _exit(wait_for(pair->hand, 0, 7, 10000) == 0 ? 0 : 1);
    g_usleep(20000);
    g_assert_cmpint(waitpid(child, &status, WNOHANG), ==, 0);
    hf_hold_table_release(pair->desk, 0, 7);
    g_assert_cmpint(waitpid(child, &status, 0), ==, child);
    g_assert_cmpint(status, ==, 0);
}

static void test_bad_first_message(void)
{
    static const char *const messages[] = {"{}", "[]", "", "{\"type\": \"releases\"}"};
    for (guint i = 0; i < G_N_ELEMENTS(messages); i++) {
        g_autoptr(GError) error = NULL;
        int ends[2];
        g_assert_cmpint(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), ==, 0);
        g_assert_cmpint(write(ends[0], messages[i], strlen(messages[i])), >=, 0);
        close(ends[0]);
        g_assert_null(hf_hold_table_receive(ends[1], &error));
        g_assert_nonnull(error);
        close(ends[1]);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add("/releases/before", Pair, NULL, set_up, test_let_go_before, tear_down);
    g_test_add("/releases/after", Pair, NULL, set_up, test_let_go_after, tear_down);
    g_test_add("/releases/never", Pair, NULL, set_up, test_never_let_go, tear_down);
    g_test_add("/releases/other", Pair, NULL, set_up, test_other_call, tear_down);
    g_test_add("/releases/places", Pair, NULL, set_up, test_places, tear_down);
    g_test_add("/releases/processes", Pair, NULL, set_up, test_processes, tear_down);
    g_test_add_func("/releases/first-message", test_bad_first_message);
    return g_test_run();
}
