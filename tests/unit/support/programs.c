/* SPDX-License-Identifier: Apache-2.0 */
/* Real programs for tests; waiting is by the watch of the platform itself. */
#include "programs.h"

#include <gio/gio.h>
#include <signal.h>
#include <string.h>

#include "await.h"
#include "hand/x11/core/x11.h"
#include "hand/x11/windows/ewmh.h"
#include "shared/base/error.h"
#include "spawn.h"

#define WAIT_MS TEST_PATIENCE_MS

struct Program {
    GSubprocess *process;
};

Program *program_start(const char *name, ...)
{
    g_autoptr(GPtrArray) arguments = g_ptr_array_new();
    g_ptr_array_add(arguments, (char *)name);
    va_list more;
    va_start(more, name);
    const char *argument;
    while ((argument = va_arg(more, const char *)))
        g_ptr_array_add(arguments, (char *)argument);
    va_end(more);
    g_ptr_array_add(arguments, NULL);
    Program *program = g_new0(Program, 1);
    program->process =
        test_spawnv(G_SUBPROCESS_FLAGS_STDOUT_SILENCE | G_SUBPROCESS_FLAGS_STDERR_SILENCE,
                    (const char *const *)arguments->pdata);
    return program;
}

void program_kill(Program *program)
{
    g_subprocess_force_exit(program->process);
    g_subprocess_wait(program->process, NULL, NULL);
}

void program_free(Program *program)
{
    if (!program)
        return;
    program_kill(program);
    g_object_unref(program->process);
    g_free(program);
}

int program_pid(const Program *program)
{
    return atoi(g_subprocess_get_identifier(program->process));
}

void test_without_bus(void)
{
    g_setenv("DBUS_SESSION_BUS_ADDRESS", "disabled:", TRUE);
    g_setenv("NO_AT_BRIDGE", "1", TRUE);
}

HfDesktop *test_desktop(void)
{
    g_autoptr(GError) error = NULL;
    HfDesktopOptions options = {
        .display = g_getenv("DISPLAY"),
        .state_dir = g_getenv("XDG_RUNTIME_DIR"),
    };
    HfDesktop *desktop = hf_desktop_open(&options, &error);
    g_assert_no_error(error);
    return desktop;
}

HfDeadline test_deadline(void)
{
    return hf_deadline_in_ms(WAIT_MS, NULL);
}

static void read_ewmh(HfDesktop *desktop, HfX11Ewmh *ewmh)
{
    HfX11Connection *connection = hf_x11(desktop)->connection;
    HfX11EwmhCookies cookies = hf_x11_ewmh_send(connection);
    g_assert_true(hf_x11_ewmh_read(connection, &cookies, ewmh, NULL));
}

static gboolean lists_windows(HfDesktop *desktop, guint count)
{
    g_auto(HfX11Ewmh) ewmh = {0};
    read_ewmh(desktop, &ewmh);
    return ewmh.managed && ewmh.clients->len == count;
}

static gboolean await_count(HfDesktop *desktop, guint count, int limit_ms)
{
    HfDeadline deadline = hf_deadline_in_ms(limit_ms, NULL);
    g_autoptr(HfWindowWatch) watch = hf_window_watch_new(desktop, NULL);
    g_assert_nonnull(watch);
    while (!lists_windows(desktop, count))
        if (!hf_window_watch_wait(watch, -1, &deadline, NULL))
            return FALSE;
    return TRUE;
}

/* openbox says that it is there some 30 ms before it heeds anything: windows that are mapped
 * meanwhile are lost to it. So a window is offered until it is taken. */
Program *start_window_manager(HfDesktop *desktop)
{
    Program *manager = program_start("openbox", "--sm-disable", NULL);
    g_autoptr(HfX11Connection) own = hf_x11_connect(g_getenv("DISPLAY"), NULL);
    g_assert_nonnull(own);
    xcb_window_t probe = xcb_generate_id(own->xcb);
    xcb_create_window(own->xcb, XCB_COPY_FROM_PARENT, probe, own->root, 0, 0, 9, 9, 0,
                      XCB_WINDOW_CLASS_INPUT_OUTPUT, XCB_COPY_FROM_PARENT, 0, NULL);
    g_assert_true(await_count(desktop, 0, WAIT_MS));
    int tries = 0;
    do {
        xcb_unmap_window(own->xcb, probe);
        xcb_map_window(own->xcb, probe);
        xcb_flush(own->xcb);
        g_assert_cmpint(tries++, <, 100);
    } while (!await_count(desktop, 1, 50));
    xcb_destroy_window(own->xcb, probe);
    xcb_flush(own->xcb);
    g_assert_true(await_count(desktop, 0, WAIT_MS));
    return manager;
}

void await_unmanaged(HfDesktop *desktop)
{
    HfDeadline deadline = hf_deadline_in_ms(WAIT_MS, NULL);
    g_autoptr(HfWindowWatch) watch = hf_window_watch_new(desktop, NULL);
    for (;;) {
        g_auto(HfX11Ewmh) ewmh = {0};
        read_ewmh(desktop, &ewmh);
        if (!ewmh.managed)
            return;
        g_assert_true(hf_window_watch_wait(watch, -1, &deadline, NULL));
    }
}

HfWindow *await_window(HfDesktop *desktop, const char *title)
{
    HfDeadline deadline = hf_deadline_in_ms(WAIT_MS, NULL);
    g_autoptr(GError) error = NULL;
    g_autoptr(HfWindowWatch) watch = hf_window_watch_new(desktop, &error);
    for (;;) {
        g_autoptr(GPtrArray) windows = hf_windows_list(desktop, &error);
        g_assert_no_error(error);
        for (guint i = 0; i < windows->len; i++) {
            const HfWindow *window = windows->pdata[i];
            if (window->visible && strstr(window->title, title))
                return g_ptr_array_steal_index(windows, i);
        }
        hf_window_watch_wait(watch, -1, &deadline, &error);
        if (error)
            g_error("no window with '%s' in its title came up", title);
    }
}
