/* SPDX-License-Identifier: Apache-2.0 */
/* Other processes: who descends from whom, and ending them for sure. */
#include "shared/process/processes.h"

#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* A child that says that it is ready, then waits for ever. */
static pid_t start_child(void (*prepare)(void))
{
    int ready[2];
    char byte;
    g_assert_cmpint(pipe(ready), ==, 0);
    pid_t pid = fork();
    if (pid == 0) {
        if (prepare)
            prepare();
        if (write(ready[1], "r", 1) != 1)
            _exit(1);
        for (;;)
            pause();
    }
    close(ready[1]);
    g_assert_cmpint(read(ready[0], &byte, 1), ==, 1);
    close(ready[0]);
    return pid;
}

static gboolean contains(const GArray *processes, pid_t pid)
{
    for (guint i = 0; i < processes->len; i++)
        if (g_array_index(processes, HfProcess, i).pid == pid)
            return TRUE;
    return FALSE;
}

static void take_odd_name(void)
{
    prctl(PR_SET_NAME, "a) R 1 (");
}

static void test_read(void)
{
    HfProcess self, child;
    g_assert_true(hf_process_read(getpid(), &self));
    g_assert_cmpint(self.parent, ==, getppid());
    g_assert_cmpint(self.session, ==, getsid(0));
    g_assert_cmpint(self.state, ==, 'R');
    pid_t pid = start_child(take_odd_name);
    g_assert_true(hf_process_read(pid, &child));
    g_assert_cmpint(child.parent, ==, getpid());
    g_assert_cmpuint(child.start_time, >=, self.start_time);
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    g_assert_false(hf_process_read(pid, &child));
}

static pid_t grandchild_of(int reading)
{
    pid_t pid = 0;
    g_assert_cmpint(read(reading, &pid, sizeof pid), ==, sizeof pid);
    return pid;
}

static void test_family(void)
{
    int pids[2];
    g_assert_cmpint(pipe(pids), ==, 0);
    pid_t child = fork();
    if (child == 0) {
        pid_t grandchild = start_child(NULL);
        if (write(pids[1], &grandchild, sizeof grandchild) < 0)
            _exit(1);
        for (;;)
            pause();
    }
    pid_t grandchild = grandchild_of(pids[0]);
    g_autoptr(GArray) family = hf_processes_list_family(getpid());
    g_assert_true(contains(family, child));
    g_assert_true(contains(family, grandchild));
    g_assert_false(contains(family, getpid()));
    g_assert_false(contains(family, getppid()));
    g_autoptr(GArray) below = hf_processes_list_family(child);
    g_assert_cmpuint(below->len, ==, 1);
    g_assert_true(hf_processes_end(family, SIGKILL, 1000));
    waitpid(child, NULL, 0);
    close(pids[0]);
    close(pids[1]);
}

static void ignore_term(void)
{
    signal(SIGTERM, SIG_IGN);
}

static void test_end(void)
{
    g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(HfProcess));
    pid_t stubborn = start_child(ignore_term), stopped = start_child(NULL), gone = fork();
    if (gone == 0)
        _exit(0);
    kill(stopped, SIGSTOP);
    waitpid(stopped, NULL, WUNTRACED);
    const pid_t pids[] = {stubborn, stopped, gone};
    for (gsize i = 0; i < G_N_ELEMENTS(pids); i++) {
        HfProcess process;
        g_assert_true(hf_process_read(pids[i], &process));
        g_array_append_val(all, process);
    }
    g_assert_cmpint(waitpid(gone, NULL, 0), ==, gone);
    g_assert_false(hf_processes_end(all, SIGTERM, 50));
    int status;
    g_assert_cmpint(waitpid(stopped, &status, 0), ==, stopped);
    g_assert_cmpint(WTERMSIG(status), ==, SIGTERM);
    g_assert_cmpint(waitpid(stubborn, &status, WNOHANG), ==, 0);
    g_assert_true(hf_processes_end(all, SIGKILL, 1000));
    g_assert_cmpint(waitpid(stubborn, &status, 0), ==, stubborn);
}

/* A number that was used again is not touched. */
static void test_reused_number(void)
{
    pid_t pid = start_child(NULL);
    HfProcess process;
    g_assert_true(hf_process_read(pid, &process));
    process.start_time--;
    g_autoptr(GArray) others = g_array_new(FALSE, FALSE, sizeof(HfProcess));
    g_array_append_val(others, process);
    g_assert_true(hf_processes_end(others, SIGKILL, 1000));
    g_assert_cmpint(waitpid(pid, NULL, WNOHANG), ==, 0);
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
}

static void test_variable(void)
{
    pid_t pid = fork();
    if (pid == 0) {
        char *const environment[] = {"HF_FOOBAR=no", "HF_FOO=yes=1", "EMPTY=", NULL};
        char *const arguments[] = {"sleep", "1000", NULL};
        execve("/bin/sleep", arguments, environment);
        _exit(1);
    }
    g_autofree char *foo = NULL;
    while (!(foo = hf_process_dup_variable(pid, "HF_FOO")))
        g_usleep(1000); /* until exec; there is nothing to wait on */
    g_autofree char *empty = hf_process_dup_variable(pid, "EMPTY");
    g_assert_cmpstr(foo, ==, "yes=1");
    g_assert_cmpstr(empty, ==, "");
    g_assert_null(hf_process_dup_variable(pid, "HF_FO"));
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    g_assert_null(hf_process_dup_variable(pid, "HF_FOO"));
}

typedef struct Nested {
    pid_t init;   /* as it is numbered here */
    pid_t helper; /* its parent, our child */
} Nested;

/* A pid namespace whose first process has a child (2) and another namespace within, in which a
 * process has the number 2 as well. */
static void run_first_process(int ready)
{
    start_child(NULL);
    pid_t starter = fork();
    if (starter == 0) {
        if (unshare(CLONE_NEWPID) != 0)
            _exit(1);
        if (fork() != 0)
            for (;;)
                pause();
        start_child(NULL);
        if (write(ready, "r", 1) != 1)
            _exit(1);
        for (;;)
            pause();
    }
    for (;;)
        pause();
}

static gboolean start_namespace(Nested *nested)
{
    int pids[2], ready[2];
    char byte;
    g_assert_cmpint(pipe(pids), ==, 0);
    g_assert_cmpint(pipe(ready), ==, 0);
    nested->helper = fork();
    if (nested->helper == 0) {
        pid_t init = unshare(CLONE_NEWUSER | CLONE_NEWPID) == 0 ? fork() : -1;
        if (init == 0)
            run_first_process(ready[1]);
        if (write(pids[1], &init, sizeof init) < 0)
            _exit(1);
        for (;;)
            pause();
    }
    nested->init = grandchild_of(pids[0]);
    if (nested->init > 0)
        g_assert_cmpint(read(ready[0], &byte, 1), ==, 1);
    for (int i = 0; i < 2; i++) {
        close(pids[i]);
        close(ready[i]);
    }
    return nested->init > 0;
}

/* The number that a process has inside is translated to the one that it has here. */
static void test_find_inner(void)
{
    Nested nested;
    gboolean allowed = start_namespace(&nested);
    if (allowed) {
        pid_t found = hf_process_find_inner(nested.init, 2);
        HfProcess process;
        g_assert_cmpint(hf_process_find_inner(nested.init, 1), ==, nested.init);
        g_assert_true(hf_process_read(found, &process));
        g_assert_cmpint(process.parent, ==, nested.init);
        g_assert_cmpint(hf_process_find_inner(nested.init, 0), ==, 0);
        g_assert_cmpint(hf_process_find_inner(nested.init, -1), ==, 0);
        g_assert_cmpint(hf_process_find_inner(nested.init, getpid()), ==, 0);
        kill(nested.init, SIGKILL);
        g_assert_cmpint(hf_process_find_inner(found, 3), ==, 0);
    } else {
        g_test_skip("no namespaces here");
    }
    kill(nested.helper, SIGKILL);
    waitpid(nested.helper, NULL, 0);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/processes/read", test_read);
    g_test_add_func("/processes/family", test_family);
    g_test_add_func("/processes/end", test_end);
    g_test_add_func("/processes/reused-number", test_reused_number);
    g_test_add_func("/processes/variable", test_variable);
    g_test_add_func("/processes/find-inner", test_find_inner);
    return g_test_run();
}
