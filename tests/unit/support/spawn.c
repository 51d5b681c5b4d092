/* SPDX-License-Identifier: Apache-2.0 */
/* Children die with the test, by the kernel's hand. */
#include "spawn.h"

#include <signal.h>
#include <sys/prctl.h>

static void die_with_parent(gpointer data)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
}

GSubprocess *test_spawnv(GSubprocessFlags flags, const char *const *arguments)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GSubprocessLauncher) launcher = g_subprocess_launcher_new(flags);
    g_subprocess_launcher_set_child_setup(launcher, die_with_parent, NULL, NULL);
    GSubprocess *process = g_subprocess_launcher_spawnv(launcher, arguments, &error);
    g_assert_no_error(error);
    return process;
}

GSubprocess *test_spawn(GSubprocessFlags flags, const char *program, ...)
{
    g_autoptr(GPtrArray) arguments = g_ptr_array_new();
    va_list more;
    va_start(more, program);
    for (const char *argument = program; argument; argument = va_arg(more, const char *))
        g_ptr_array_add(arguments, (gpointer)argument);
    va_end(more);
    g_ptr_array_add(arguments, NULL);
    return test_spawnv(flags, (const char *const *)arguments->pdata);
}

void test_end(GSubprocess *process)
{
    g_subprocess_force_exit(process);
    g_subprocess_wait(process, NULL, NULL);
    g_object_unref(process);
}

char *test_read_line(GSubprocess *process)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GDataInputStream) lines =
        g_data_input_stream_new(g_subprocess_get_stdout_pipe(process));
    g_filter_input_stream_set_close_base_stream(G_FILTER_INPUT_STREAM(lines), FALSE);
    char *line = g_data_input_stream_read_line(lines, NULL, NULL, &error);
    g_assert_no_error(error);
    return line;
}
