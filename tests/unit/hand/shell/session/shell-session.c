/* SPDX-License-Identifier: Apache-2.0 */
/* One session with a real shell and a real keeper, which this program becomes itself: what a
 * command leaves behind, how it is interrupted, whose turn it is, and how it all ends. Each case is
 * done without walls and within them. */
#include "hand/shell/session/shell-session.h"

#include <signal.h>
#include <string.h>

#include "hand/shell/session/keeper.h"
#include "shared/base/error.h"
#include "shared/base/remove-tree.h"

#define SOON_MS 20000

static char *folder;

static json_t *make_walls(gboolean open)
{
    return json_pack("{s:[[s]], s:[], s:{s:[]}, s:b, s:s, s:{s:b, s:[]}}", "directories", folder,
                     "denied", "domains", "allowed", "open", open, "caller", "c", "shell",
                     "network", TRUE, "hidden");
}

static HfShellSession *new_session(gboolean open)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(json_t) walls = make_walls(open);
    HfSandboxRequest usual = {0};
    HfDeadline deadline = hf_deadline_in_ms(SOON_MS, NULL);
    json_t *plan = hf_sandbox_plan_new(walls, &usual, &error);
    g_assert_no_error(error);
    HfShellSession *session = hf_shell_session_new("s", walls, plan, &deadline, &error);
    g_assert_no_error(error);
    return session;
}

static HfCommandResult *run(HfShellSession *session, const char *text, gint64 timeout_ms,
                            GError **error)
{
    HfDeadline deadline = hf_deadline_in_ms(SOON_MS, NULL);
    HfShellCommand command = {.text = text, .timeout_ms = timeout_ms, .output_bytes = 4096};
    return hf_shell_session_run(session, &command, &deadline, error);
}

static void assert_output(const HfCommandOutput *output, const char *expected)
{
    gsize length;
    g_autofree char *text = hf_command_output_dup_text(output, &length);
    g_assert_cmpstr(text, ==, expected);
}

static const struct {
    const char *before; /* a command before it; NULL: none */
    const char *text;
    int status;
    const char *output, *errors;
} cases[] = {
    {NULL, "true", 0, "", ""},
    {NULL, "echo out; echo err >&2; (exit 7)", 7, "out\n", "err\n"},
    {"x=1", "echo $x", 0, "1\n", ""},
    {"cd /usr", "echo $PWD", 0, "/usr\n", ""},
    {"(exit 3)", "echo $?", 0, "3\n", ""},
    {"echo 'never closed", "echo fine", 0, "fine\n", ""},
    {"if true", "echo fine", 0, "fine\n", ""},
    {NULL, "echo it\\'s '\"' \\\\ \t $'\\001'", 0, "it's \" \\ \001\n", ""},
    {NULL, "cat", 0, "", ""},
    {NULL, "kill -9 $BASHPID & wait $!", 137, "", NULL},
    {"printf 'd%016x 0 /\\0' 0 >&0 2>/dev/null", "echo not fooled", 0, "not fooled\n", ""},
    {"PS1='$(echo prompted >&2)'", "echo quiet", 0, "quiet\n", ""},
};

static void test_commands(gconstpointer open)
{
    g_autoptr(HfShellSession) session = new_session(GPOINTER_TO_INT(open));
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(HfCommandResult) before =
            cases[i].before ? run(session, cases[i].before, SOON_MS, &error) : NULL;
        g_assert_no_error(error);
        g_autoptr(HfCommandResult) ran = run(session, cases[i].text, SOON_MS, &error);
        g_test_message("%s", cases[i].text);
        g_assert_no_error(error);
        g_assert_cmpint(ran->status, ==, cases[i].status);
        g_assert_false(ran->ended || ran->interrupted);
        assert_output(ran->output, cases[i].output);
        if (cases[i].errors)
            assert_output(ran->errors, cases[i].errors);
    }
}

/* What does not end by itself, and how hard it is to end. */
static const char *const endless[] = {
    "sleep 60",
    "while :; do :; done",
    "while :; do sleep 60; done",
    "f() { while :; do read -t 1 < <(sleep 60); done; }; f",
    "bash -c 'trap \"\" INT TERM; while :; do sleep 60; done'",
    "sleep 60 | sleep 60 | cat",
    "(sleep 60 & wait)",
};

static void test_interrupted(gconstpointer open)
{
    g_autoptr(HfShellSession) session = new_session(GPOINTER_TO_INT(open));
    for (gsize i = 0; i < G_N_ELEMENTS(endless); i++) {
        g_autoptr(GError) error = NULL;
        g_autofree char *text = g_strdup_printf("echo begun; %s; echo never", endless[i]);
        g_autoptr(HfCommandResult) ran = run(session, text, 50, &error);
        g_test_message("%s", endless[i]);
        g_assert_no_error(error);
        g_assert_true(ran->interrupted);
        g_assert_false(ran->ended);
        g_assert_cmpint(ran->status, >=, 128);
        assert_output(ran->output, "begun\n");
        g_autoptr(HfCommandResult) next = run(session, "echo on", SOON_MS, &error);
        g_assert_no_error(error);
        assert_output(next->output, "on\n");
    }
}

static const struct {
    const char *text;
    int status;
} ends[] = {{"exit", 0},
            {"exit 4", 4},
            {"set -e; false", 1},
            {"kill -9 $$", 137},
            {"exec sh -c 'exit 6'", 6}};

static void test_ends(gconstpointer open)
{
    for (gsize i = 0; i < G_N_ELEMENTS(ends); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(HfShellSession) session = new_session(GPOINTER_TO_INT(open));
        g_autoptr(HfCommandResult) ran = run(session, ends[i].text, SOON_MS, &error);
        g_test_message("%s", ends[i].text);
        g_assert_no_error(error);
        g_assert_true(ran->ended);
        g_assert_cmpint(ran->status, ==, ends[i].status);
        g_assert_true(hf_shell_session_has_ended(session));
        g_autoptr(HfCommandResult) next = run(session, "echo on", SOON_MS, &error);
        g_assert_error(error, HF_ERROR, HF_ERROR_SESSION_NOT_FOUND);
        g_assert_null(next);
    }
}

typedef struct Waiting {
    HfShellSession *session;
    const char *text;
    HfCommandResult *ran;
    GError *error;
} Waiting;

static gpointer run_one(gpointer data)
{
    Waiting *waiting = data;
    waiting->ran = run(waiting->session, waiting->text, SOON_MS, &waiting->error);
    return NULL;
}

static gboolean is_busy(HfShellSession *session)
{
    g_autoptr(json_t) told = hf_shell_session_describe(session);
    return hf_json_bool(told, "busy", FALSE);
}

static void await_busy(HfShellSession *session)
{
    while (!is_busy(session))
        g_thread_yield();
}

/* A second command waits for the first, within its own time. */
static void test_turns(gconstpointer open)
{
    g_autoptr(HfShellSession) session = new_session(GPOINTER_TO_INT(open));
    g_autoptr(GError) error = NULL;
    g_autofree char *fifo = g_build_filename(folder, "gate", NULL);
    g_autofree char *first = g_strdup_printf("mkfifo %s; cat %s; echo first", fifo, fifo);
    Waiting waiting = {.session = session, .text = first};
    GThread *thread = g_thread_new("first", run_one, &waiting);
    await_busy(session);
    HfDeadline short_one = hf_deadline_in_ms(100, NULL);
    HfShellCommand command = {.text = "echo second", .timeout_ms = 1000, .output_bytes = 4096};
    g_assert_null(hf_shell_session_run(session, &command, &short_one, &error));
    g_assert_error(error, HF_ERROR, HF_ERROR_DESKTOP_TIMEOUT);
    g_assert_nonnull(strstr(error->message, "busy"));
    g_clear_error(&error);
    while (!hf_shell_session_signal(session, SIGTERM, NULL))
        g_thread_yield();
    g_autoptr(HfCommandResult) second = run(session, "echo second", SOON_MS, &error);
    g_thread_join(thread);
    g_assert_no_error(error);
    assert_output(second->output, "second\n");
    g_assert_no_error(waiting.error);
    assert_output(waiting.ran->output, "first\n");
    hf_command_result_free(waiting.ran);
    g_assert_false(hf_shell_session_signal(session, SIGINT, &error));
    g_assert_error(error, HF_ERROR, HF_ERROR_PRECONDITION_FAILED);
    g_autofree char *remove = g_strdup_printf("rm %s", fifo);
    g_autoptr(HfCommandResult) gone = run(session, remove, SOON_MS, NULL);
}

static void test_called_off(gconstpointer open)
{
    g_autoptr(HfShellSession) session = new_session(GPOINTER_TO_INT(open));
    g_autoptr(GCancellable) cancellable = g_cancellable_new();
    g_autoptr(GError) error = NULL;
    HfDeadline deadline = hf_deadline_in_ms(SOON_MS, cancellable);
    HfShellCommand command = {.text = "sleep 60", .timeout_ms = SOON_MS, .output_bytes = 4096};
    g_cancellable_cancel(cancellable);
    g_assert_null(hf_shell_session_run(session, &command, &deadline, &error));
    g_assert_error(error, HF_ERROR, HF_ERROR_DESKTOP_ABORTED);
    g_clear_error(&error);
    g_autoptr(HfCommandResult) next = run(session, "echo on", SOON_MS, &error);
    g_assert_no_error(error);
    assert_output(next->output, "on\n");
}

/* At every moment, from before the shell has read its line to after it has ended. */
static void test_called_off_at_any_moment(gconstpointer open)
{
    static const char *const texts[] = {"sleep 60", "true", "while :; do :; done",
                                        "cat <(sleep 60)"};
    g_autoptr(HfShellSession) session = new_session(GPOINTER_TO_INT(open));
    for (guint i = 0; i < 80; i++) {
        g_autoptr(GError) error = NULL;
        HfDeadline deadline = hf_deadline_in_ms(SOON_MS, NULL);
        HfShellCommand command = {
            .text = texts[i % G_N_ELEMENTS(texts)], .timeout_ms = i % 5, .output_bytes = 4096};
        g_autoptr(HfCommandResult) ran = hf_shell_session_run(session, &command, &deadline, &error);
        g_test_message("%s, %u ms", command.text, i % 5);
        g_assert_no_error(error);
        g_assert_false(ran->ended);
        g_autoptr(HfCommandResult) next = run(session, "echo on", SOON_MS, &error);
        g_assert_no_error(error);
        assert_output(next->output, "on\n");
    }
}

/* The end of a session is the end of what is being run there. */
static void test_ended_from_without(gconstpointer open)
{
    g_autoptr(HfShellSession) session = new_session(GPOINTER_TO_INT(open));
    Waiting waiting = {.session = session, .text = "setsid sleep 60 & sleep 60"};
    GThread *thread = g_thread_new("first", run_one, &waiting);
    await_busy(session);
    hf_shell_session_end(session);
    g_thread_join(thread);
    g_assert_true(waiting.ran ? waiting.ran->ended
                              : hf_error_code(waiting.error) == HF_ERROR_SESSION_NOT_FOUND);
    g_assert_true(hf_shell_session_await_end(session, SOON_MS));
    hf_command_result_free(waiting.ran);
    g_clear_error(&waiting.error);
}

static void add(const char *name, GTestDataFunc test)
{
    g_autofree char *open = g_strconcat("/shell/session/open/", name, NULL);
    g_autofree char *walled = g_strconcat("/shell/session/walled/", name, NULL);
    g_test_add_data_func(open, GINT_TO_POINTER(TRUE), test);
    g_test_add_data_func(walled, GINT_TO_POINTER(FALSE), test);
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "keeper") == 0)
        return hf_keeper_main(argc - 1, argv + 1);
    g_test_init(&argc, &argv, NULL);
    folder = g_dir_make_tmp("hf-session-XXXXXX", NULL);
    add("commands", test_commands);
    add("interrupted", test_interrupted);
    add("ends", test_ends);
    add("turns", test_turns);
    add("called-off", test_called_off);
    add("called-off-at-any-moment", test_called_off_at_any_moment);
    add("ended-from-without", test_ended_from_without);
    int status = g_test_run();
    hf_remove_tree(folder);
    g_free(folder);
    return status;
}
