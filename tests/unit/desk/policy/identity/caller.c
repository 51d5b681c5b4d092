/* SPDX-License-Identifier: Apache-2.0 */
/* Who a process is, with real ones: forked, forked twice, in sessions and terminals of their own,
 * below something that stands in for a stage. */
#include "desk/policy/identity/caller.h"

#include <fcntl.h>
#include <pty.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "shared/base/error.h"
#include "shared/process/processes.h"
#include "shared/wire/stage-protocol.h"

/* Says its number into the pipe and waits to be ended. */
static G_NORETURN void tell_and_wait(int told)
{
    pid_t self = getpid();
    if (write(told, &self, sizeof self) != sizeof self)
        _exit(1);
    for (;;)
        pause();
}

static HfCaller caller_of(pid_t pid)
{
    HfProcess process = {0};
    g_assert_true(hf_process_read(pid, &process));
    return (HfCaller){
        .kind = HF_CALLER_CLIENT,
        .door = "test",
        .pid = pid,
        .start_time = process.start_time,
        .uid = geteuid(),
    };
}

/* The ways in which a hand's program may try to hide. Each ends in tell_and_wait(). */
static G_NORETURN void plainly(int told)
{
    tell_and_wait(told);
}

static G_NORETURN void in_a_session_of_its_own(int told)
{
    setsid();
    tell_and_wait(told);
}

static G_NORETURN void forked_twice(int told)
{
    if (fork() == 0) {
        setsid();
        if (fork() == 0)
            tell_and_wait(told);
        _exit(0);
    }
    _exit(0);
}

static G_NORETURN void in_a_terminal_of_its_own(int told)
{
    int terminal;
    if (forkpty(&terminal, NULL, NULL, NULL) == 0)
        tell_and_wait(told);
    for (;;)
        pause();
}

static const struct {
    const char *what;
    void (*hide)(int told);
} ways[] = {
    {"plainly", plainly},
    {"in a session of its own", in_a_session_of_its_own},
    {"forked twice", forked_twice},
    {"in a terminal of its own", in_a_terminal_of_its_own},
};

/* Executed again as a stage would be, so that the mark is in its environment: adopts orphans, and
 * lets a child with an empty environment hide in the given way. */
static G_NORETURN void play_stage(char *way, char *told)
{
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (fork() == 0) {
        char *arguments[] = {"program", "--hide", way, told, NULL};
        char *environment[] = {NULL};
        execve("/proc/self/exe", arguments, environment);
        _exit(127);
    }
    for (;;)
        pause();
}

static pid_t start_stage(int way, const char *mark, pid_t *ret_hidden)
{
    int told[2];
    g_assert_cmpint(pipe(told), ==, 0);
    pid_t stage = fork();
    if (stage == 0) {
        char way_text[16], told_text[16];
        g_snprintf(way_text, sizeof way_text, "%d", way);
        g_snprintf(told_text, sizeof told_text, "%d", told[1]);
        char *arguments[] = {"stage", "--play-stage", way_text, told_text, NULL};
        char *environment[] = {(char *)mark, NULL};
        execve("/proc/self/exe", arguments, environment);
        _exit(127);
    }
    close(told[1]);
    g_assert_cmpint(read(told[0], ret_hidden, sizeof *ret_hidden), ==, sizeof *ret_hidden);
    close(told[0]);
    return stage;
}

static void end_family(pid_t stage)
{
    g_autoptr(GArray) family = hf_processes_list_family(stage);
    hf_processes_end(family, SIGKILL, 0);
    kill(stage, SIGKILL);
    waitpid(stage, NULL, 0);
}

static void test_below_a_stage(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(ways); i++) {
        pid_t hidden;
        g_autoptr(GError) error = NULL, owner_error = NULL;
        g_test_message("%s", ways[i].what);
        pid_t stage = start_stage((int)i, HF_MARK_STAGE "=s1", &hidden);
        HfCaller caller = caller_of(hidden);
        g_assert_false(hf_caller_admit(&caller, &error));
        g_assert_error(error, HF_ERROR, HF_ERROR_UNAUTHENTICATED);
        g_assert_false(hf_caller_is_owner(&caller, &owner_error));
        g_assert_nonnull(owner_error);
        end_family(stage);
    }
}

/* The same family without a mark is nobody's doing. */
static void test_below_anything_else(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(ways); i++) {
        pid_t hidden;
        g_autoptr(GError) error = NULL;
        pid_t stage = start_stage((int)i, "HANDFAST_STAGES=1", &hidden);
        HfCaller caller = caller_of(hidden);
        hf_caller_admit(&caller, &error);
        g_assert_no_error(error);
        end_family(stage);
    }
}

/* What outlives its stage keeps the mark in the environment that it was started with. */
static void test_after_its_stage(void)
{
    int told[2];
    pid_t left;
    g_autoptr(GError) error = NULL;
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    g_assert_cmpint(pipe(told), ==, 0);
    pid_t stage = fork();
    if (stage == 0) {
        if (fork() == 0) {
            char *arguments[] = {"left", "--tell", g_strdup_printf("%d", told[1]), NULL};
            char *environment[] = {HF_MARK_STAGE "=s2", NULL};
            execve("/proc/self/exe", arguments, environment);
        }
        _exit(0);
    }
    waitpid(stage, NULL, 0);
    g_assert_cmpint(read(told[0], &left, sizeof left), ==, sizeof left);
    HfCaller caller = caller_of(left);
    g_assert_false(hf_caller_admit(&caller, &error));
    g_assert_error(error, HF_ERROR, HF_ERROR_UNAUTHENTICATED);
    kill(left, SIGKILL);
    waitpid(left, NULL, 0);
    prctl(PR_SET_CHILD_SUBREAPER, 0);
    close(told[0]);
    close(told[1]);
}

static void test_ended_or_another(void)
{
    g_autoptr(GError) error = NULL;
    pid_t child = fork();
    if (child == 0)
        for (;;)
            pause();
    HfCaller caller = caller_of(child), another = caller, foreign = caller;
    g_assert_true(hf_caller_admit(&caller, NULL));
    another.start_time--; /* the number was somebody else's before */
    g_assert_false(hf_caller_admit(&another, &error));
    g_assert_error(error, HF_ERROR, HF_ERROR_UNAUTHENTICATED);
    foreign.uid++;
    g_assert_false(hf_caller_admit(&foreign, NULL));
    g_assert_false(hf_caller_is_owner(&foreign, NULL));
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    g_assert_false(hf_caller_admit(&caller, NULL));
    g_assert_false(hf_caller_is_owner(&caller, NULL));
}

/* In a new terminal: in front, behind another group, or with its input from elsewhere. */
typedef enum Place { IN_FRONT, BEHIND, INPUT_ELSEWHERE } Place;

static pid_t start_in_terminal(Place place, int told, int *ret_terminal)
{
    pid_t pid = forkpty(ret_terminal, NULL, NULL, NULL);
    if (pid != 0)
        return pid;
    signal(SIGTTOU, SIG_IGN);
    signal(SIGTTIN, SIG_IGN);
    if (place == INPUT_ELSEWHERE)
        dup2(open("/dev/null", O_RDONLY), STDIN_FILENO);
    if (place == BEHIND && fork() == 0) {
        setpgid(0, 0); /* a job in the background */
        tell_and_wait(told);
    }
    if (place == BEHIND)
        for (;;)
            pause();
    tell_and_wait(told);
}

static void test_owner(void)
{
    static const struct {
        Place place;
        gboolean owner;
    } places[] = {{IN_FRONT, TRUE}, {BEHIND, FALSE}, {INPUT_ELSEWHERE, FALSE}};
    for (gsize i = 0; i < G_N_ELEMENTS(places); i++) {
        int told[2], terminal;
        pid_t pid;
        g_autoptr(GError) error = NULL;
        g_assert_cmpint(pipe(told), ==, 0);
        pid_t leader = start_in_terminal(places[i].place, told[1], &terminal);
        g_assert_cmpint(read(told[0], &pid, sizeof pid), ==, sizeof pid);
        HfCaller caller = caller_of(pid);
        g_assert_true(hf_caller_admit(&caller, NULL));
        g_assert_cmpint(hf_caller_is_owner(&caller, &error), ==, places[i].owner);
        g_assert_cmpint(hf_caller_check_owner_in_person(&caller, NULL), ==, places[i].owner);
        if (!places[i].owner)
            g_assert_error(error, HF_ERROR, HF_ERROR_FORBIDDEN);
        end_family(leader);
        close(terminal);
        close(told[0]);
        close(told[1]);
    }
}

static void test_owner_while_an_agent_types(void)
{
    int told[2], terminal;
    pid_t pid;
    g_autoptr(GError) error = NULL;
    g_assert_cmpint(pipe(told), ==, 0);
    start_in_terminal(IN_FRONT, told[1], &terminal);
    g_assert_cmpint(read(told[0], &pid, sizeof pid), ==, sizeof pid);
    HfCaller caller = caller_of(pid);
    caller.inputs = hf_input_origin_new();
    g_assert_true(hf_caller_check_owner_in_person(&caller, NULL));
    hf_input_origin_note_ours(caller.inputs, "main", g_get_monotonic_time());
    g_assert_true(hf_caller_is_owner(&caller, NULL));
    g_assert_false(hf_caller_check_owner_in_person(&caller, &error));
    g_assert_error(error, HF_ERROR, HF_ERROR_FORBIDDEN);
    hf_input_origin_note_press(caller.inputs, "main", g_get_monotonic_time() + 1);
    g_assert_true(hf_caller_check_owner_in_person(&caller, NULL));
    hf_input_origin_free(caller.inputs);
    end_family(pid);
    close(terminal);
    close(told[0]);
    close(told[1]);
}

int main(int argc, char **argv)
{
    if (argc == 4 && g_str_equal(argv[1], "--play-stage"))
        play_stage(argv[2], argv[3]);
    if (argc == 4 && g_str_equal(argv[1], "--hide"))
        ways[atoi(argv[2])].hide(atoi(argv[3]));
    if (argc == 3 && g_str_equal(argv[1], "--tell"))
        tell_and_wait(atoi(argv[2]));
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/caller/below-a-stage", test_below_a_stage);
    g_test_add_func("/caller/below-anything-else", test_below_anything_else);
    g_test_add_func("/caller/after-its-stage", test_after_its_stage);
    g_test_add_func("/caller/ended-or-another", test_ended_or_another);
    g_test_add_func("/caller/owner", test_owner);
    g_test_add_func("/caller/owner-while-an-agent-types", test_owner_while_an_agent_types);
    return g_test_run();
}
