/* SPDX-License-Identifier: Apache-2.0 */
/* The keeper of a shell, as a hand uses it: what it hands over, how it tells an end, and that
 * nothing outlives it. The program that it starts is what the plan says; here mostly no shell. */
#include "hand/shell/session/keeper.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hand/shell/session/keeper-link.h"
#include "shared/base/error.h"
#include "shared/process/processes.h"

#define SOON_MS 20000

static json_t *make_plan(gboolean open, gboolean terminal, const char *text)
{
    return json_pack("{s:b, s:b, s:[], s:[], s:[], s:[s, s, s, s], s:[s], s:s, s:i, s:b}", "open",
                     open, "network", TRUE, "writable", "readable", "covered", "arguments",
                     "/bin/bash", "--norc", "-c", text, "environment", "PATH=/usr/bin:/bin",
                     "directory", "/usr", "umask", 027, "terminal", terminal);
}

static HfKeeper *start(gboolean open, gboolean terminal, const char *text)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(json_t) plan = make_plan(open, terminal, text);
    HfDeadline deadline = hf_deadline_in_ms(SOON_MS, NULL);
    HfKeeper *keeper = hf_keeper_start(plan, &deadline, &error);
    g_assert_no_error(error);
    return keeper;
}

/* All that comes until the end of it. */
static char *read_all(int fd)
{
    GString *text = g_string_new(NULL);
    struct pollfd wait = {fd, POLLIN, 0};
    char piece[4096];
    while (poll(&wait, 1, SOON_MS) > 0) {
        ssize_t count = read(fd, piece, sizeof piece);
        if (count == 0 || (count < 0 && errno != EAGAIN))
            break;
        if (count > 0)
            g_string_append_len(text, piece, count);
    }
    return g_string_free(text, FALSE);
}

static const struct {
    const char *text;
    const char *output, *errors;
    int code, signal; /* how it ends */
} cases[] = {
    {"echo out; echo err >&2; exit 3", "out\n", "err\n", 3, 0},
    {"pwd; umask", "/usr\n0027\n", "", 0, 0},
    {"cat <&0 >/dev/null & kill -9 $$", "", "", 0, SIGKILL},
    {"kill -TERM $$", "", "", 0, SIGTERM},
    /* Nothing of the hand or the keeper is open there, and no signal is ignored but the two that
     * the C library keeps to itself: make leaves them so, or one of them, to what it starts. */
    {"exec ls /proc/self/fd", "0\n1\n2\n3\n", "", 0, 0},
    {"exec grep -cE 'SigIgn:\t0{7}[01][08]0{7}$' /proc/self/status", "1\n", "", 0, 0},
    {"tr '\\0' '\\n' < /proc/$$/environ | sort", "PATH=/usr/bin:/bin\n", "", 0, 0},
    {"exec /no/such/program 2>/dev/null", "", "", 127, 0},
};

static void test_cases(gconstpointer open)
{
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(HfKeeper) keeper = start(GPOINTER_TO_INT(open), FALSE, cases[i].text);
        g_test_message("%s", cases[i].text);
        g_assert_cmpint(keeper->terminal, ==, -1);
        g_assert_nonnull(keeper->folder_path);
        g_autofree char *output = read_all(keeper->output), *errors = read_all(keeper->errors);
        g_assert_cmpstr(output, ==, cases[i].output);
        g_assert_cmpstr(errors, ==, cases[i].errors);
        int status = hf_keeper_take_status(keeper);
        if (cases[i].signal)
            g_assert_true(WIFSIGNALED(status) && WTERMSIG(status) == cases[i].signal);
        else
            g_assert_true(WIFEXITED(status) && WEXITSTATUS(status) == cases[i].code);
        g_assert_true(hf_keeper_await_end(keeper, SOON_MS));
    }
}

static void test_terminal(gconstpointer open)
{
    g_autoptr(HfKeeper) keeper = start(GPOINTER_TO_INT(open), TRUE, "tty >/dev/null && echo yes");
    g_assert_cmpint(keeper->commands, ==, -1);
    g_assert_cmpint(keeper->terminal, >=, 0);
    g_autofree char *shown = read_all(keeper->terminal);
    g_assert_cmpstr(shown, ==, "yes\r\n");
}

/* Processes that were started in every way that is meant to leave: by their mark in /proc. */
static guint count_marked(const char *mark)
{
    g_autoptr(GArray) all = hf_processes_list_family(1);
    guint count = 0;
    for (guint i = 0; i < all->len; i++) {
        const HfProcess *process = &g_array_index(all, HfProcess, i);
        g_autofree char *path = g_strdup_printf("/proc/%d/cmdline", (int)process->pid);
        g_autofree char *line = NULL;
        if (g_file_get_contents(path, &line, NULL, NULL) && strcmp(line, "sleep") == 0)
            count += strcmp(line + strlen("sleep") + 1, mark) == 0;
    }
    return count;
}

static const char *const leavers =
    "sleep %s & setsid sleep %s & (setsid nohup sleep %s >/dev/null 2>&1 &) & "
    "(trap '' HUP TERM INT; sleep %s) & echo ready; wait";

static void end_by_order(HfKeeper *keeper)
{
    hf_keeper_end(keeper);
}

static void end_by_hanging_up(HfKeeper *keeper)
{
    shutdown(keeper->channel, SHUT_RDWR);
}

static void end_by_shell(HfKeeper *keeper)
{
    hf_keeper_signal(keeper, SIGKILL, 0, NULL); /* what it has started; the shell sees to itself */
}

static void test_nothing_is_left(gconstpointer open)
{
    static void (*const ways[])(HfKeeper *) = {end_by_order, end_by_hanging_up, end_by_shell};
    for (gsize i = 0; i < G_N_ELEMENTS(ways); i++) {
        g_autofree char *mark = g_strdup_printf("%d.%zu%d", 4000 + getpid(), i, open != NULL);
        g_auto(GStrv) parts = g_strsplit(leavers, "%s", -1);
        g_autofree char *text = g_strjoinv(mark, parts);
        g_autoptr(HfKeeper) keeper = start(GPOINTER_TO_INT(open), FALSE, text);
        struct pollfd ready = {keeper->output, POLLIN, 0};
        g_assert_cmpint(poll(&ready, 1, SOON_MS), ==, 1);
        while (count_marked(mark) < 4) /* they are on their way */
            g_thread_yield();
        ways[i](keeper);
        g_assert_true(hf_keeper_await_end(keeper, SOON_MS));
        while (count_marked(mark) > 0) /* killed they are by now; their parent has yet to look */
            g_thread_yield();
    }
}

static void read_word(HfKeeper *keeper, const char *expected)
{
    char word[8] = "";
    struct pollfd wait = {keeper->output, POLLIN, 0};
    g_assert_cmpint(poll(&wait, 1, SOON_MS), ==, 1);
    g_assert_cmpint(read(keeper->output, word, 4), ==, 4);
    g_assert_cmpstr(word, ==, expected);
}

/* Only what is younger than the command. */
static void test_signals_since(gconstpointer open)
{
    g_autoptr(HfKeeper) keeper =
        start(GPOINTER_TO_INT(open), FALSE,
              "sleep 60 & old=$!; echo one; read go; sleep 60 & new=$!; echo two; wait $new; "
              "echo $?; kill -0 $old && echo lives");
    read_word(keeper, "one\n");
    guint64 since = hf_keeper_now_ticks() + 2;
    while (hf_keeper_now_ticks() < since)
        g_thread_yield();
    g_assert_cmpint(send(keeper->commands, "go\n", 3, MSG_NOSIGNAL), ==, 3);
    read_word(keeper, "two\n");
    g_assert_true(hf_keeper_signal(keeper, SIGTERM, since, NULL));
    g_autofree char *rest = read_all(keeper->output);
    g_assert_cmpstr(rest, ==, "143\nlives\n");
}

static void add(const char *name, GTestDataFunc test)
{
    g_autofree char *open = g_strconcat("/shell/keeper/open/", name, NULL);
    g_autofree char *walled = g_strconcat("/shell/keeper/walled/", name, NULL);
    g_test_add_data_func(open, GINT_TO_POINTER(TRUE), test);
    g_test_add_data_func(walled, GINT_TO_POINTER(FALSE), test);
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "keeper") == 0)
        return hf_keeper_main(argc - 1, argv + 1);
    g_test_init(&argc, &argv, NULL);
    add("cases", test_cases);
    add("terminal", test_terminal);
    add("nothing-is-left", test_nothing_is_left);
    add("signals-since", test_signals_since);
    return g_test_run();
}
