/* SPDX-License-Identifier: Apache-2.0 */
/* Starting and ending real programs: detached for good, reported honestly, never the wrong one. */
#include "hand/apps/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "await.h"
#include "clipper.h"
#include "hand/apps/process-info.h"
#include "hand/apps/running-apps.h"
#include "hand/safety/call-context.h"
#include "programs.h"
#include "shared/base/error.h"
#include "shared/process/processes.h"

static HfLaunched *launch(HfDesktop *desktop, const char *name, const char *const *arguments,
                          guint wait_ms, GError **error)
{
    g_autoptr(HfProgram) program = hf_program_resolve(name, arguments, error);
    if (!program)
        return NULL;
    HfDeadline deadline = hf_deadline_in_ms(20000, NULL);
    g_autoptr(HfCallContext) context = hf_call_context_new_unfenced(desktop, "a test");
    return hf_launch(context, program, wait_ms, &deadline, error);
}

static void end(int pid)
{
    int process_fd = hf_process_open(pid);
    if (process_fd < 0)
        return;
    hf_process_signal(process_fd, SIGKILL);
    HfDeadline deadline = test_deadline();
    g_assert_true(hf_deadline_wait_readable(&deadline, process_fd, NULL));
    close(process_fd);
}

/* A script of this test's own in the private home. */
static char *write_script(const char *name, const char *text)
{
    char *path = g_build_filename(g_get_home_dir(), name, NULL);
    g_assert_true(g_file_set_contents(path, text, -1, NULL));
    g_assert_cmpint(chmod(path, 0755), ==, 0);
    return path;
}

/* The role of a launched program: writes down how it was started, before anything else. A shell
 * would not do, since shells change what they were given (dash blocks all signals while it starts a
 * program or waits for one). */
static int report_start(int argc, char **argv)
{
    GString *text = g_string_new(NULL);
    g_autofree char *status = NULL;
    g_autofree char *folder = g_get_current_dir();
    g_assert_true(g_file_get_contents("/proc/self/status", &status, NULL, NULL));
    g_string_append_printf(text, "args: %d %s\n", argc - 3, argv[3]);
    g_string_append_printf(text, "session: %d\n", getsid(0) == getpid());
    g_string_append_printf(text, "folder: %s\ndisplay: %s\n", folder, g_getenv("DISPLAY"));
    g_autoptr(GDir) descriptors = g_dir_open("/proc/self/fd", 0, NULL);
    const char *name;
    while ((name = g_dir_read_name(descriptors))) {
        g_autofree char *path = g_build_filename("/proc/self/fd", name, NULL);
        g_autofree char *target = g_file_read_link(path, NULL);
        g_string_append_printf(text, "descriptor %s: %s\n", name, target);
    }
    g_string_append(text, status);
    g_autofree char *part = g_strconcat(argv[2], ".part", NULL);
    g_assert_true(g_file_set_contents(part, text->str, -1, NULL));
    g_string_free(text, TRUE);
    return rename(part, argv[2]);
}

static guint64 signals_in(const char *seen, const char *field)
{
    const char *at = strstr(seen, field);
    g_assert_nonnull(at);
    /* Signals 32 and 33 are the C library's own, which nobody can set back. */
    return g_ascii_strtoull(at + strlen(field), NULL, 16) & ~G_GUINT64_CONSTANT(0x180000000);
}

/* Everything that a program can see of how it was started. */
static void test_detached(void)
{
    g_autofree char *report = g_build_filename(g_get_home_dir(), "report", NULL);
    g_autofree char *self = g_file_read_link("/proc/self/exe", NULL);
    /* What a hand has: ignored and blocked signals, descriptors without close-on-exec. */
    signal(SIGPIPE, SIG_IGN);
    sigset_t blocked;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &blocked, NULL);
    int leak = open("/etc/passwd", O_RDONLY);
    g_autoptr(HfDesktop) desktop = test_desktop();
    g_autoptr(GError) error = NULL;
    g_autoptr(HfLaunched) launched =
        launch(desktop, self, (const char *const[]){"report-start", report, "a b; $(x)", NULL}, 200,
               &error);
    g_assert_no_error(error);
    g_autofree char *seen = await_file(report);
    g_test_message("%s", seen);
    g_assert_nonnull(strstr(seen, "args: 1 a b; $(x)\n"));
    g_assert_nonnull(strstr(seen, "descriptor 0: /dev/null\n"));
    g_assert_nonnull(strstr(seen, "descriptor 1: /dev/null\n"));
    g_assert_nonnull(strstr(seen, "descriptor 2: /dev/null\n"));
    g_assert_nonnull(strstr(seen, "session: 1\n"));
    g_assert_null(strstr(seen, "passwd"));
    g_assert_null(strstr(seen, "socket:"));
    g_assert_cmphex(signals_in(seen, "SigBlk:"), ==, 0);
    g_assert_cmphex(signals_in(seen, "SigIgn:"), ==, 0);
    g_autofree char *home = g_strdup_printf("folder: %s\n", g_get_home_dir());
    g_assert_nonnull(strstr(seen, home));
    close(leak);
    /* It is not our child, neither living nor dead. */
    g_assert_cmpint(waitpid(-1, NULL, WNOHANG), ==, -1);
    g_assert_cmpint(errno, ==, ECHILD);
    pthread_sigmask(SIG_UNBLOCK, &blocked, NULL);
}

static void test_exec_fails(void)
{
    g_autofree char *missing = write_script("bad-interpreter", "#!/no/such/interpreter\n");
    g_autofree char *nonsense = write_script("nonsense", "\x7f"
                                                         "ELF is not this");
    g_autofree char *empty = write_script("plain", "echo no interpreter line\n");
    const struct {
        const char *path;
        HfErrorCode code;
    } cases[] = {
        {missing, HF_ERROR_APP_NOT_FOUND},
        {nonsense, HF_ERROR_PRECONDITION_FAILED},
        {empty, HF_ERROR_PRECONDITION_FAILED},
    };
    g_autoptr(HfDesktop) desktop = test_desktop();
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        g_assert_null(launch(desktop, cases[i].path, NULL, 1000, &error));
        g_assert_error(error, HF_ERROR, (int)cases[i].code);
        g_assert_nonnull(strstr(error->message, cases[i].path));
    }
}

static void test_window(void)
{
    g_autoptr(HfDesktop) desktop = test_desktop();
    g_autoptr(Program) manager = start_window_manager(desktop);
    g_autoptr(GError) error = NULL;
    g_autoptr(HfLaunched) launched =
        launch(desktop, "xterm", (const char *const[]){"-T", "hello", NULL}, 5000, &error);
    g_assert_no_error(error);
    g_assert_cmpint(launched->end, ==, HF_LAUNCH_WINDOW);
    g_assert_cmpstr(launched->window->title, ==, "hello");
    g_assert_cmpint(launched->window->pid, ==, launched->pid);
    g_assert_true(launched->window->visible && launched->window->focused);
    end(launched->pid);
}

/* The window belongs to a process that the launched one started, and that outlives it. */
static void test_wrapped(void)
{
    g_autofree char *waiting = write_script("wrapper", "#!/bin/sh\nxterm -T inner\nexit 0\n");
    g_autofree char *leaving = write_script("leaver", "#!/bin/sh\n(xterm -T inner &)\n");
    g_autoptr(HfDesktop) desktop = test_desktop();
    const char *const scripts[] = {waiting, leaving};
    for (gsize i = 0; i < G_N_ELEMENTS(scripts); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(HfLaunched) launched = launch(desktop, scripts[i], NULL, 5000, &error);
        g_assert_no_error(error);
        g_assert_cmpint(launched->end, ==, HF_LAUNCH_WINDOW);
        g_assert_cmpstr(launched->window->title, ==, "inner");
        g_assert_cmpint(launched->window->pid, !=, launched->pid);
        end(launched->window->pid);
        end(launched->pid);
    }
}

static void test_no_window(void)
{
    g_autoptr(HfDesktop) desktop = test_desktop();
    g_autoptr(GError) error = NULL;
    g_autoptr(HfLaunched) quiet =
        launch(desktop, "sleep", (const char *const[]){"60", NULL}, 300, &error);
    g_assert_no_error(error);
    g_assert_cmpint(quiet->end, ==, HF_LAUNCH_WAITING);
    g_assert_null(quiet->window);
    g_autofree char *name = hf_process_dup_name(quiet->pid);
    g_assert_cmpstr(name, ==, "sleep");
    end(quiet->pid);

    gint64 start = g_get_monotonic_time();
    g_autoptr(HfLaunched) gone = launch(desktop, "true", NULL, 10000, &error);
    g_assert_no_error(error);
    g_assert_cmpint(gone->end, ==, HF_LAUNCH_ENDED);
    g_assert_cmpint(gone->pid, >, 1);
    g_assert_cmpint(g_get_monotonic_time() - start, <, 10 * G_USEC_PER_SEC); /* its whole wait */

    g_autoptr(HfLaunched) unawaited =
        launch(desktop, "sleep", (const char *const[]){"60", NULL}, 0, &error);
    g_assert_no_error(error);
    g_assert_cmpint(unawaited->end, ==, HF_LAUNCH_WAITING);
    end(unawaited->pid);
}

static gpointer cancel_soon(gpointer data)
{
    g_usleep(100000);
    g_cancellable_cancel(data);
    return NULL;
}

static void test_cancelled(void)
{
    g_autoptr(HfDesktop) desktop = test_desktop();
    g_autoptr(HfCallContext) context = hf_call_context_new_unfenced(desktop, "a test");
    g_autoptr(GCancellable) cancellable = g_cancellable_new();
    g_autoptr(HfProgram) program =
        hf_program_resolve("sleep", (const char *const[]){"60", NULL}, NULL);
    HfDeadline deadline = hf_deadline_in_ms(20000, cancellable);
    GThread *thread = g_thread_new("cancel", cancel_soon, cancellable);
    g_autoptr(GError) error = NULL;
    g_assert_null(hf_launch(context, program, 10000, &deadline, &error));
    g_thread_join(thread);
    g_assert_error(error, HF_ERROR, HF_ERROR_DESKTOP_ABORTED);
    g_autoptr(json_t) json = hf_error_to_json(error);
    end((int)hf_json_int(json_object_get(json, "details"), "pid", 0));
}

static const HfRunningApp *find(const HfRunningApps *apps, const char *name, int pid,
                                gboolean single, GError **error)
{
    return hf_running_apps_find(apps, &(HfAppQuery){name, pid, single}, error);
}

static void test_apps(void)
{
    g_autoptr(HfDesktop) desktop = test_desktop();
    g_autoptr(HfCallContext) context = hf_call_context_new_unfenced(desktop, "a test");
    g_autoptr(Program) manager = start_window_manager(desktop);
    g_autoptr(Program) one = program_start("xterm", "-T", "one", NULL);
    g_autoptr(HfWindow) first = await_window(desktop, "one");
    g_autoptr(Program) two = program_start("xterm", "-T", "two", NULL);
    g_autoptr(HfWindow) second = await_window(desktop, "two");
    g_autoptr(Program) calculator = program_start("galculator", NULL);
    g_autoptr(HfWindow) third = await_window(desktop, "galculator");
    g_autoptr(HfRunningApps) apps = hf_running_apps_list(desktop, NULL);
    g_assert_cmpuint(apps->apps->len, ==, 3);
    g_autoptr(GError) error = NULL;
    g_assert_cmpint(find(apps, "GALCULATOR", 0, TRUE, NULL)->pid, ==, program_pid(calculator));
    g_assert_cmpint(find(apps, "xterm", 0, FALSE, NULL)->pid, ==, program_pid(two));
    g_assert_cmpint(find(apps, "xterm", program_pid(one), TRUE, NULL)->pid, ==, program_pid(one));
    g_assert_cmpint(find(apps, NULL, program_pid(one), TRUE, NULL)->pid, ==, program_pid(one));
    g_assert_null(find(apps, "xterm", 0, TRUE, &error));
    g_assert_error(error, HF_ERROR, HF_ERROR_WINDOW_AMBIGUOUS);
    g_clear_error(&error);
    g_assert_null(find(apps, "firefox", 0, TRUE, &error));
    g_assert_error(error, HF_ERROR, HF_ERROR_APP_NOT_FOUND);
    g_clear_error(&error);

    HfDeadline deadline = test_deadline();
    HfAppClosed closed = {0};
    hf_running_apps_close(context, find(apps, "galculator", 0, TRUE, NULL), &closed, &deadline,
                          &error);
    g_assert_no_error(error);
    g_assert_cmpuint(closed.windows, ==, 1);
    g_assert_false(closed.running);
    g_autoptr(HfRunningApps) left = hf_running_apps_list(desktop, NULL);
    g_assert_cmpuint(left->apps->len, ==, 2);
}

/* SIGTERM is ignored; the process has to be killed. */
static void test_kill(void)
{
    g_autofree char *stubborn = write_script(
        "stubborn",
        "#!/usr/bin/python3\nimport signal\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        "import gi\ngi.require_version('Gtk', '3.0')\nfrom gi.repository import Gtk\n"
        "w = Gtk.Window(title='stubborn')\nw.connect('delete-event', lambda *a: True)\n"
        "w.show()\nGtk.main()\n");
    g_autoptr(HfDesktop) desktop = test_desktop();
    g_autoptr(HfCallContext) context = hf_call_context_new_unfenced(desktop, "a test");
    g_autoptr(GError) error = NULL;
    g_autoptr(HfLaunched) launched = launch(desktop, stubborn, NULL, 5000, &error);
    g_assert_no_error(error);
    g_assert_nonnull(launched->window);
    g_autoptr(HfRunningApps) apps = hf_running_apps_list(desktop, NULL);
    const HfRunningApp *app = find(apps, "stubborn", 0, TRUE, &error);
    g_assert_no_error(error);
    HfDeadline deadline = test_deadline();
    HfAppClosed closed = {0};
    hf_running_apps_close(context, app, &closed, &deadline, &error);
    g_assert_error(error, HF_ERROR, HF_ERROR_VERIFY_FAILED);
    g_clear_error(&error);
    deadline = test_deadline();
    hf_running_apps_kill(context, app, &closed, &deadline, &error);
    g_assert_no_error(error);
    HfProcess process;
    g_assert_true(!hf_process_read(launched->pid, &process) || process.state == 'Z');
}

/* A window whose program says that it runs elsewhere, and one that is shown by something called
 * ssh: neither process is the program. */
static void test_never_kills_carriers(void)
{
    g_autofree char *elsewhere = write_script(
        "elsewhere", "#!/usr/bin/python3\nfrom Xlib import X, display\n"
                     "d = display.Display()\n"
                     "w = d.screen().root.create_window(0, 0, 50, 50, 0, X.CopyFromParent)\n"
                     "w.set_wm_name('elsewhere')\nw.set_wm_client_machine('far.example')\n"
                     "w.map()\nd.sync()\nwhile True: d.next_event()\n");
    g_autofree char *xterm = g_find_program_in_path("xterm");
    g_autofree char *carrier = g_build_filename(g_get_home_dir(), "ssh", NULL);
    g_bytes_unref(run_program(NULL, "cp", xterm, carrier, NULL));
    const struct {
        const char *program, *said;
    } cases[] = {{elsewhere, "the machine 'far.example'"}, {carrier, "another machine"}};
    g_autoptr(HfDesktop) desktop = test_desktop();
    g_autoptr(HfCallContext) context = hf_call_context_new_unfenced(desktop, "a test");
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(HfLaunched) launched =
            launch(desktop, cases[i].program, NULL, TEST_PATIENCE_MS, &error);
        g_assert_no_error(error);
        g_autoptr(HfRunningApps) apps = hf_running_apps_list(desktop, NULL);
        const HfRunningApp *app = find(apps, NULL, launched->pid, TRUE, &error);
        g_assert_no_error(error);
        HfDeadline deadline = test_deadline();
        HfAppClosed closed = {0};
        g_assert_false(hf_running_apps_kill(context, app, &closed, &deadline, &error));
        g_assert_error(error, HF_ERROR, HF_ERROR_PRECONDITION_FAILED);
        g_assert_nonnull(strstr(error->message, cases[i].said));
        HfProcess process;
        g_assert_true(hf_process_read(launched->pid, &process) && process.state != 'Z');
        end(launched->pid);
    }
}

static void test_never_kills(void)
{
    g_autoptr(HfDesktop) desktop = test_desktop();
    g_autoptr(HfCallContext) context = hf_call_context_new_unfenced(desktop, "a test");
    g_autoptr(GPtrArray) none = g_ptr_array_new();
    const struct {
        int pid;
        HfErrorCode code;
    } cases[] = {
        {-1, HF_ERROR_PRECONDITION_FAILED}, {0, HF_ERROR_PRECONDITION_FAILED},
        {1, HF_ERROR_PRECONDITION_FAILED},  {getpid(), HF_ERROR_FORBIDDEN},
        {getppid(), HF_ERROR_FORBIDDEN},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        HfRunningApp app = {.name = (char *)"x", .pid = cases[i].pid, .windows = none};
        HfDeadline deadline = test_deadline();
        HfAppClosed closed;
        g_autoptr(GError) error = NULL;
        g_assert_false(hf_running_apps_kill(context, &app, &closed, &deadline, &error));
        g_assert_error(error, HF_ERROR, (int)cases[i].code);
    }
}

/* The question "save changes?" is reported and answered by nobody. */
static void test_dialog(void)
{
    g_autofree char *asking = write_script(
        "asking", "#!/usr/bin/python3\nimport gi\ngi.require_version('Gtk', '3.0')\n"
                  "from gi.repository import Gtk\nw = Gtk.Window(title='document')\n"
                  "def ask(*a):\n"
                  "    d = Gtk.MessageDialog(parent=w, modal=True, text='Save changes?')\n"
                  "    d.set_title('Save changes?')\n    d.show()\n    return True\n"
                  "w.connect('delete-event', ask)\nw.show()\nGtk.main()\n");
    g_autoptr(HfDesktop) desktop = test_desktop();
    g_autoptr(HfCallContext) context = hf_call_context_new_unfenced(desktop, "a test");
    g_autoptr(Program) manager = start_window_manager(desktop);
    g_autoptr(GError) error = NULL;
    g_autoptr(HfLaunched) launched = launch(desktop, asking, NULL, 5000, &error);
    g_assert_no_error(error);
    HfAppClosed closed;
    for (int i = 0; i < 2; i++) { /* the second time it is there already */
        g_autoptr(HfRunningApps) apps = hf_running_apps_list(desktop, NULL);
        const HfRunningApp *app = find(apps, NULL, launched->pid, TRUE, &error);
        g_assert_no_error(error);
        HfDeadline deadline = test_deadline();
        hf_running_apps_close(context, app, &closed, &deadline, &error);
        g_assert_error(error, HF_ERROR, HF_ERROR_DESKTOP_MODAL_BLOCKING);
        g_assert_nonnull(strstr(error->message, "Save changes?"));
        g_clear_error(&error);
    }
    end(launched->pid);
}

/* Of a process that is there, and of one that cannot be. */
static void test_own_memory(void)
{
    guint64 before = hf_process_private_kb(getpid());
    g_assert_cmpuint(before, >, 0);
    gsize size = 32 * 1024 * 1024;
    g_autofree char *more = g_malloc(size);
    memset(more, 1, size);
    g_assert_cmpuint(hf_process_private_kb(getpid()), >, before + 16 * 1024);
    g_assert_cmpuint(hf_process_private_kb(-1), ==, 0);
}

int main(int argc, char **argv)
{
    if (argc > 3 && g_str_equal(argv[1], "report-start"))
        return report_start(argc, argv);
    g_test_init(&argc, &argv, NULL);
    test_without_bus();
    g_test_add_func("/launch/own-memory", test_own_memory);
    g_test_add_func("/launch/detached", test_detached);
    g_test_add_func("/launch/exec-fails", test_exec_fails);
    g_test_add_func("/launch/window", test_window);
    g_test_add_func("/launch/wrapped", test_wrapped);
    g_test_add_func("/launch/no-window", test_no_window);
    g_test_add_func("/launch/cancelled", test_cancelled);
    g_test_add_func("/launch/apps", test_apps);
    g_test_add_func("/launch/kill", test_kill);
    g_test_add_func("/launch/never-kills", test_never_kills);
    g_test_add_func("/launch/never-kills-carriers", test_never_kills_carriers);
    g_test_add_func("/launch/dialog", test_dialog);
    return g_test_run();
}
