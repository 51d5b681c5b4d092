/* SPDX-License-Identifier: Apache-2.0 */
/* Where real processes belong: forked, in sessions of their own, on terminals. */
#include "desk/policy/identity/caller-session.h"

#include <pty.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "shared/process/processes.h"

static HfCaller caller_of_process(pid_t pid)
{
    HfProcess process = {0};
    g_assert_true(hf_process_read(pid, &process));
    return (HfCaller){.kind = HF_CALLER_CLIENT, .pid = pid, .start_time = process.start_time};
}

static G_NORETURN void report_ready(int told)
{
    if (write(told, "x", 1) != 1)
        _exit(1);
    for (;;)
        pause();
}

/* A child of ours, on a terminal of its own or in a session without one. */
static char *session_of_child(gboolean terminal)
{
    int told[2], master = -1;
    char byte;
    g_assert_cmpint(pipe(told), ==, 0);
    pid_t pid = terminal ? forkpty(&master, NULL, NULL, NULL) : fork();
    if (pid == 0) {
        if (!terminal)
            setsid();
        report_ready(told[1]);
    }
    g_assert_cmpint(read(told[0], &byte, 1), ==, 1);
    HfCaller caller = caller_of_process(pid);
    char *session = hf_caller_dup_session(&caller);
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    close(told[0]);
    close(told[1]);
    if (master >= 0)
        close(master);
    return session;
}

/* A session of its own does not make another caller of a child; a terminal of its own does. */
static void test_children(void)
{
    HfCaller self = caller_of_process(getpid());
    g_autofree char *own = hf_caller_dup_session(&self), *child = session_of_child(FALSE),
                    *first = session_of_child(TRUE), *second = session_of_child(TRUE);
    g_assert_cmpstr(child, ==, own);
    g_assert_true(g_str_has_prefix(first, "session "));
    g_assert_cmpstr(first, !=, own);
    g_assert_cmpstr(first, !=, second);
}

static void test_keys(void)
{
    HfCaller token = {.kind = HF_CALLER_CLIENT, .token = "t1", .program = "/x", .session = "s"},
             client = {.kind = HF_CALLER_CLIENT, .program = "/x", .session = "s"},
             owner = {.kind = HF_CALLER_OWNER, .program = "/x", .session = "s"};
    g_autofree char *of_token = hf_caller_dup_taint_key(&token),
                    *of_client = hf_caller_dup_taint_key(&client);
    g_assert_cmpstr(of_token, ==, "token t1");
    g_assert_cmpstr(of_client, ==, "/x in s");
    g_assert_null(hf_caller_dup_taint_key(&owner));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/caller-session/children", test_children);
    g_test_add_func("/caller-session/keys", test_keys);
    return g_test_run();
}
