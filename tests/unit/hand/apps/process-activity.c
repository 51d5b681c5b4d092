/* SPDX-License-Identifier: Apache-2.0 */
/* Programs at rest and at work. */
#include "hand/apps/process-activity.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "shared/process/processes.h"

typedef struct Child {
    pid_t pid;
    int wake, awake; /* a byte to `wake` is answered with one from `awake` */
} Child;

/* Says that it is there, then answers bytes for ever. */
static void live(int wake, int awake)
{
    char byte = 'r';
    do {
        if (write(awake, &byte, 1) != 1)
            _exit(1);
    } while (read(wake, &byte, 1) == 1);
    _exit(0);
}

static gpointer spin(gpointer data)
{
    while (TRUE)
        ;
    return NULL;
}

static Child start_child(void (*prepare)(void))
{
    int wake[2], awake[2];
    char byte;
    g_assert_cmpint(pipe(wake), ==, 0);
    g_assert_cmpint(pipe(awake), ==, 0);
    pid_t pid = fork();
    if (pid == 0) {
        close(wake[1]);
        if (prepare)
            prepare();
        live(wake[0], awake[1]);
    }
    close(wake[0]);
    close(awake[1]);
    g_assert_cmpint(read(awake[0], &byte, 1), ==, 1);
    return (Child){pid, wake[1], awake[0]};
}

static void work_in_a_thread(void)
{
    g_thread_new("spin", spin, NULL);
}

static void have_a_working_child(void)
{
    start_child(work_in_a_thread);
}

static void work_in_a_session_of_its_own(void)
{
    setsid();
    work_in_a_thread();
}

static void have_a_working_session(void)
{
    start_child(work_in_a_session_of_its_own);
}

static void end_all(void)
{
    g_autoptr(GArray) family = hf_processes_list_family(getpid());
    hf_processes_end(family, SIGKILL, 5000);
    while (waitpid(-1, NULL, WNOHANG) > 0)
        ;
}

/* What has just said that it is ready needs a moment until it waits. */
static void await_rest(HfProcessActivity *activity)
{
    gint64 until_us = g_get_monotonic_time() + 5 * G_USEC_PER_SEC;
    while (hf_process_activity_has_worked(activity))
        g_assert_cmpint(g_get_monotonic_time(), <, until_us);
}

static void test_rest(void)
{
    Child child = start_child(NULL);
    g_autoptr(HfProcessActivity) activity = hf_process_activity_new(child.pid);
    await_rest(activity);
    g_assert_false(hf_process_is_busy(child.pid));
    char byte = 'x';
    g_assert_cmpint(write(child.wake, &byte, 1), ==, 1);
    g_assert_cmpint(read(child.awake, &byte, 1), ==, 1);
    /* It rests again by now, or nearly: what it did in between must be seen. */
    g_assert_true(hf_process_activity_has_worked(activity));
    await_rest(activity);
    end_all();
}

static void test_work(void)
{
    static const struct {
        void (*prepare)(void);
        gboolean works;
    } cases[] = {{work_in_a_thread, TRUE},
                 {have_a_working_child, TRUE},
                 {have_a_working_session, FALSE}}; /* what runs in a terminal is not the terminal */
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        Child child = start_child(cases[i].prepare);
        g_autoptr(HfProcessActivity) activity = hf_process_activity_new(child.pid);
        if (!cases[i].works)
            await_rest(activity);
        for (guint look = 0; look < 20; look++)
            g_assert_cmpint(hf_process_activity_has_worked(activity), ==, cases[i].works);
        end_all();
        g_assert_false(hf_process_is_busy(child.pid));
    }
}

static void test_nobody(void)
{
    g_autoptr(HfProcessActivity) activity = hf_process_activity_new(-1);
    g_assert_false(hf_process_activity_has_worked(activity));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    g_test_add_func("/activity/rest", test_rest);
    g_test_add_func("/activity/work", test_work);
    g_test_add_func("/activity/nobody", test_nobody);
    return g_test_run();
}
