/* SPDX-License-Identifier: Apache-2.0 */
/* The mark is inherited, and cannot be removed. */
#include "desk/policy/identity/agent-mark.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static pid_t start_waiting(gboolean hides)
{
    int told[2];
    char done;
    g_assert_cmpint(pipe(told), ==, 0);
    pid_t child = fork();
    if (child == 0) {
        setsid();
        struct rlimit none = {RLIM_INFINITY, RLIM_INFINITY};
        if (hides && geteuid() == 0) /* without CAP_SYS_RESOURCE, as after an execve */
            (void)!setresuid(65534, 65534, 65534);
        if (hides)
            setrlimit(RLIMIT_LOCKS, &none);
        if (write(told[1], "x", 1) == 1)
            pause();
        _exit(0);
    }
    g_assert_cmpint(read(told[0], &done, 1), ==, 1);
    close(told[0]);
    close(told[1]);
    return child;
}

static void end_child(pid_t child)
{
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
}

static void test_mark(void)
{
    pid_t before = start_waiting(FALSE);
    g_assert_false(hf_agent_mark_is_on(before));
    hf_agent_mark_begin();
    pid_t after = start_waiting(FALSE), hiding = start_waiting(TRUE);
    g_assert_false(hf_agent_mark_is_on(before));
    g_assert_true(hf_agent_mark_is_on(getpid()));
    g_assert_true(hf_agent_mark_is_on(after));
    g_assert_true(hf_agent_mark_is_on(hiding));
    g_assert_true(hf_agent_mark_is_inherited());
    g_assert_false(hf_agent_mark_is_virtual(after));
    hf_agent_mark_set_virtual(after);
    g_assert_true(hf_agent_mark_is_virtual(after));
    end_child(before);
    end_child(after);
    end_child(hiding);
    g_assert_false(hf_agent_mark_is_on(after));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/agent-mark/mark", test_mark);
    return g_test_run();
}
