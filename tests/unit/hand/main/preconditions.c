/* SPDX-License-Identifier: Apache-2.0 */
/* What must still be so: of windows by table, of processes by real ones. */
#include "hand/main/preconditions.h"

#include <sys/wait.h>
#include <unistd.h>

#include "hand/desktop/windows.h"
#include "shared/base/error.h"
#include "shared/process/processes.h"

static const struct {
    const char *wanted;
    gboolean same;
} windows[] = {
    /* Of a window at 10, 20 of 300 by 200 that is neither maximized nor minimized. */
    {"{}", TRUE},
    {"{'bounds': {'x': 10, 'y': 20, 'width': 300, 'height': 200}}", TRUE},
    {"{'bounds': {'x': 11, 'y': 20, 'width': 300, 'height': 200}}", FALSE},
    {"{'bounds': {'x': 10, 'y': 20, 'width': 300, 'height': 201}}", FALSE},
    {"{'maximized': false, 'minimized': false}", TRUE},
    {"{'maximized': true}", FALSE},
    {"{'minimized': true}", FALSE},
};

static void test_windows(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(windows); i++) {
        HfWindow window = {.title = (char *)"t", .bounds = {10, 20, 300, 200}};
        g_autofree char *text = g_strdelimit(g_strdup(windows[i].wanted), "'", '"');
        g_autoptr(json_t) wanted = json_loads(text, 0, NULL);
        g_test_message("%s", windows[i].wanted);
        g_assert_cmpint(hf_precondition_fits_window(wanted, &window), ==, windows[i].same);
    }
    /* A minimized one has no place to be compared. */
    HfWindow minimized = {.title = (char *)"t", .minimized = TRUE};
    g_autoptr(json_t) wanted = json_pack("{s:b, s:{s:i, s:i, s:i, s:i}}", "minimized", 1, "bounds",
                                         "x", 1, "y", 2, "width", 3, "height", 4);
    g_assert_true(hf_precondition_fits_window(wanted, &minimized));
}

static int code_of(json_t *take_expect)
{
    g_autoptr(json_t) expect = take_expect;
    g_autoptr(GError) error = NULL;
    HfDeadline deadline = hf_deadline_in_ms(1000, NULL);
    return hf_precondition_check(NULL, expect, NULL, &deadline, &error) ? -1
                                                                        : (int)hf_error_code(error);
}

static json_t *process_of(pid_t pid, guint64 start_time)
{
    return json_pack("{s:{s:i, s:I}}", "process", "pid", (int)pid, "start_time",
                     (json_int_t)start_time);
}

static void test_processes(void)
{
    HfProcess own;
    g_assert_true(hf_process_read(getpid(), &own));
    g_assert_cmpint(code_of(NULL), ==, -1);
    g_assert_cmpint(code_of(json_object()), ==, -1);
    g_assert_cmpint(code_of(process_of(getpid(), own.start_time)), ==, -1);
    g_assert_cmpint(code_of(process_of(getpid(), own.start_time + 1)), ==,
                    HF_ERROR_PRECONDITION_FAILED);
    pid_t child = fork();
    if (child == 0)
        _exit(0);
    siginfo_t info;
    g_assert_cmpint(waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT), ==, 0);
    HfProcess ended;
    g_assert_true(hf_process_read(child, &ended)); /* still there, but nobody's any more */
    g_assert_cmpint(code_of(process_of(child, ended.start_time)), ==, HF_ERROR_PRECONDITION_FAILED);
    waitpid(child, NULL, 0);
    g_assert_cmpint(code_of(process_of(child, ended.start_time)), ==, HF_ERROR_PRECONDITION_FAILED);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/expect/windows", test_windows);
    g_test_add_func("/expect/processes", test_processes);
    return g_test_run();
}
