/* SPDX-License-Identifier: Apache-2.0 */
/* Is the screen locked? Asked of real buses with python3-dbusmock on them, and of a real X server.
 */
#include "hand/desktop/desktop-session.h"

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>
#include <xcb/screensaver.h>

#include "spawn.h"

#define GNOME "org.gnome.ScreenSaver"
#define MOCK  "org.freedesktop.DBus.Mock"

typedef struct Bus {
    GSubprocess *daemon;
    GDBusConnection *connection;
} Bus;

typedef struct Fixture {
    Bus session, system;
    xcb_connection_t *xcb;
    xcb_screen_t *screen;
} Fixture;

static void bus_start(Bus *bus, const char *variable)
{
    g_autoptr(GError) error = NULL;
    bus->daemon = test_spawn(G_SUBPROCESS_FLAGS_STDOUT_PIPE, "dbus-daemon", "--session", "--nofork",
                             "--print-address", NULL);
    g_autofree char *address = test_read_line(bus->daemon);
    g_setenv(variable, address, TRUE);
    bus->connection =
        g_dbus_connection_new_for_address_sync(address,
                                               G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT |
                                                   G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION,
                                               NULL, NULL, &error);
    g_assert_no_error(error);
}

static void bus_stop(Bus *bus, const char *variable)
{
    g_subprocess_send_signal(bus->daemon, SIGCONT);
    g_clear_object(&bus->connection);
    test_end(bus->daemon);
    g_unsetenv(variable);
}

static void set_up(Fixture *f, gconstpointer data)
{
    bus_start(&f->session, "DBUS_SESSION_BUS_ADDRESS");
    bus_start(&f->system, "DBUS_SYSTEM_BUS_ADDRESS");
    f->xcb = xcb_connect(NULL, NULL);
    f->screen = xcb_setup_roots_iterator(xcb_get_setup(f->xcb)).data;
}

static void tear_down(Fixture *f, gconstpointer data)
{
    bus_stop(&f->session, "DBUS_SESSION_BUS_ADDRESS");
    bus_stop(&f->system, "DBUS_SYSTEM_BUS_ADDRESS");
    xcb_disconnect(f->xcb);
}

static HfDesktop *open_desktop(void)
{
    g_autoptr(GError) error = NULL;
    HfDesktopOptions options = {.display = g_getenv("DISPLAY")};
    HfDesktop *desktop = hf_desktop_open(&options, &error);
    g_assert_no_error(error);
    return desktop;
}

static gboolean is_locked(HfDesktop *desktop)
{
    g_autoptr(GError) error = NULL;
    gboolean locked = -1;
    hf_desktop_session_get_lock(desktop, &locked, &error);
    g_assert_no_error(error);
    return locked;
}

/* Signals arrive on another thread: they have to arrive, and soon. */
static void assert_becomes(HfDesktop *desktop, gboolean locked)
{
    for (int i = 0; i < 1000 && is_locked(desktop) != locked; i++)
        g_usleep(5000);
    g_assert_cmpint(is_locked(desktop), ==, locked);
}

static void on_name(GDBusConnection *bus, const char *name, const char *owner, gpointer appeared)
{
    *(gboolean *)appeared = TRUE;
}

/* Starts a mock and waits until it has its name. */
static GSubprocess *mock_start(Bus *bus, const char *kind, const char *template, const char *name)
{
    gboolean appeared = FALSE;
    GSubprocess *mock = test_spawn(G_SUBPROCESS_FLAGS_STDOUT_SILENCE, "/usr/bin/python3", "-m",
                                   "dbusmock", kind, "--template", template, NULL);
    guint watch =
        g_bus_watch_name_on_connection(bus->connection, name, 0, on_name, NULL, &appeared, NULL);
    while (!appeared)
        g_main_context_iteration(NULL, TRUE);
    g_bus_unwatch_name(watch);
    return mock;
}

static void tell(Bus *bus, const char *name, const char *path, const char *interface,
                 const char *method, GVariant *arguments)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GVariant) reply = g_dbus_connection_call_sync(
        bus->connection, name, path, interface, method, arguments, NULL, 0, 5000, NULL, &error);
    g_assert_no_error(error);
}

static void set_gnome_active(Fixture *f, gboolean active)
{
    tell(&f->session, GNOME, "/org/gnome/ScreenSaver", GNOME, "SetActive",
         g_variant_new("(b)", active));
}

static void test_saver(Fixture *f, gconstpointer data)
{
    GSubprocess *mock = mock_start(&f->session, "--session", "gnome_screensaver", GNOME);
    set_gnome_active(f, TRUE);
    g_autoptr(HfDesktop) desktop = open_desktop();
    g_assert_true(is_locked(desktop)); /* at the first question, without a signal */
    set_gnome_active(f, FALSE);
    assert_becomes(desktop, FALSE);
    set_gnome_active(f, TRUE);
    assert_becomes(desktop, TRUE);
    test_end(mock);
    assert_becomes(desktop, FALSE);
    mock = mock_start(&f->session, "--session", "gnome_screensaver", GNOME);
    set_gnome_active(f, TRUE);
    assert_becomes(desktop, TRUE);
    test_end(mock);
}

static void set_locked_hint(Fixture *f, const char *session, gboolean locked)
{
    g_autofree char *path = g_strconcat("/org/freedesktop/login1/session/", session, NULL);
    g_auto(GVariantBuilder) values = G_VARIANT_BUILDER_INIT(G_VARIANT_TYPE("a{sv}"));
    g_variant_builder_add(&values, "{sv}", "LockedHint", g_variant_new_boolean(locked));
    tell(&f->system, "org.freedesktop.login1", path, MOCK, "UpdateProperties",
         g_variant_new("(sa{sv})", "org.freedesktop.login1.Session", &values));
}

static void set_session_display(Fixture *f, const char *session, const char *display)
{
    g_autofree char *path = g_strconcat("/org/freedesktop/login1/session/", session, NULL);
    g_auto(GVariantBuilder) values = G_VARIANT_BUILDER_INIT(G_VARIANT_TYPE("a{sv}"));
    g_variant_builder_add(&values, "{sv}", "Display", g_variant_new_string(display));
    tell(&f->system, "org.freedesktop.login1", path, MOCK, "UpdateProperties",
         g_variant_new("(sa{sv})", "org.freedesktop.login1.Session", &values));
}

static void add_session(Fixture *f, const char *id, guint32 user)
{
    tell(&f->system, "org.freedesktop.login1", "/org/freedesktop/login1", MOCK, "AddSession",
         g_variant_new("(ssusb)", id, "seat0", user, "joe", TRUE));
}

/* Only the login session of this display counts; a virtual desktop is usable while its owner's
 * screen is locked, and so is mine while yours is. */
static void test_logind(Fixture *f, gconstpointer data)
{
    GSubprocess *mock = mock_start(&f->system, "--system", "logind", "org.freedesktop.login1");
    add_session(f, "mine", getuid());
    add_session(f, "elsewhere", getuid());
    add_session(f, "theirs", getuid() + 1);
    set_session_display(f, "elsewhere", ":991");
    g_autoptr(HfDesktop) desktop = open_desktop();
    g_assert_false(is_locked(desktop));
    set_locked_hint(f, "elsewhere", TRUE);
    set_locked_hint(f, "theirs", TRUE);
    set_locked_hint(f, "mine", TRUE);
    assert_becomes(desktop, TRUE);
    set_locked_hint(f, "mine", FALSE);
    assert_becomes(desktop, FALSE);

    g_autoptr(HfDesktop) later = open_desktop();
    g_assert_false(is_locked(later));
    set_locked_hint(f, "mine", TRUE);
    g_autofree char *with_screen = g_strconcat(g_getenv("DISPLAY"), ".0", NULL);
    set_session_display(f, "mine", with_screen);
    assert_becomes(later, TRUE);
    test_end(mock);
    assert_becomes(later, FALSE);
}

/* A bus that has stopped must cost a call next to nothing, and must not hold up the end. */
static void test_hanging_bus(Fixture *f, gconstpointer data)
{
    g_subprocess_send_signal(f->session.daemon, SIGSTOP);
    g_subprocess_send_signal(f->system.daemon, SIGSTOP);
    gint64 start = g_get_monotonic_time();
    HfDesktop *desktop = open_desktop();
    g_assert_false(is_locked(desktop));
    gint64 first = g_get_monotonic_time();
    g_assert_cmpint(first - start, <, (HF_LOCK_FIRST_ANSWER_MS + 250) * 1000);
    g_assert_false(is_locked(desktop));
    g_assert_cmpint(g_get_monotonic_time() - first, <, 50000);
    hf_desktop_close(desktop);
    g_assert_cmpint(g_get_monotonic_time() - start, <, 1500 * 1000);
}

/* Asking must not start a screen saver that is installed and not running. */
static void test_never_activates(Fixture *f, gconstpointer data)
{
    g_autofree char *folder =
        g_build_filename(g_get_user_runtime_dir(), "dbus-1", "services", NULL);
    g_autofree char *service = g_build_filename(folder, GNOME ".service", NULL);
    g_autofree char *trace = g_build_filename(g_get_home_dir(), "started", NULL);
    g_autofree char *text =
        g_strdup_printf("[D-BUS Service]\nName=" GNOME "\nExec=/usr/bin/touch %s\n", trace);
    g_assert_cmpint(g_mkdir_with_parents(folder, 0700), ==, 0);
    g_assert_true(g_file_set_contents(service, text, -1, NULL));
    tell(&f->session, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus",
         "ReloadConfig", NULL);
    g_autoptr(HfDesktop) desktop = open_desktop();
    g_assert_false(is_locked(desktop));
    g_assert_false(g_file_test(trace, G_FILE_TEST_EXISTS));
    /* The trap works: whoever starts it leaves the trace. */
    g_autoptr(GVariant) reply = g_dbus_connection_call_sync(
        f->session.connection, GNOME, "/", GNOME, "GetActive", NULL, NULL, 0, 5000, NULL, NULL);
    g_assert_true(g_file_test(trace, G_FILE_TEST_EXISTS));
}

static void sync_xcb(Fixture *f)
{
    free(xcb_get_input_focus_reply(f->xcb, xcb_get_input_focus(f->xcb), NULL));
}

static void test_server_saver(Fixture *f, gconstpointer data)
{
    g_autoptr(HfDesktop) desktop = open_desktop();
    g_assert_false(is_locked(desktop));
    xcb_force_screen_saver(f->xcb, XCB_SCREEN_SAVER_ACTIVE);
    sync_xcb(f);
    g_assert_false(is_locked(desktop)); /* blank, but the next event wakes it */
    xcb_force_screen_saver(f->xcb, XCB_SCREEN_SAVER_RESET);
    const uint32_t values[] = {1};
    xcb_screensaver_set_attributes(f->xcb, f->screen->root, 0, 0, 1280, 800, 0,
                                   XCB_WINDOW_CLASS_INPUT_OUTPUT, XCB_COPY_FROM_PARENT,
                                   XCB_COPY_FROM_PARENT, XCB_CW_OVERRIDE_REDIRECT, values);
    xcb_force_screen_saver(f->xcb, XCB_SCREEN_SAVER_ACTIVE);
    sync_xcb(f);
    g_assert_true(is_locked(desktop));
    xcb_force_screen_saver(f->xcb, XCB_SCREEN_SAVER_RESET);
    xcb_screensaver_unset_attributes(f->xcb, f->screen->root);
    sync_xcb(f);
    g_assert_false(is_locked(desktop));
}

static xcb_atom_t atom(Fixture *f, const char *name)
{
    xcb_intern_atom_reply_t *reply = xcb_intern_atom_reply(
        f->xcb, xcb_intern_atom(f->xcb, 0, (uint16_t)strlen(name), name), NULL);
    xcb_atom_t value = reply->atom;
    free(reply);
    return value;
}

static void test_xscreensaver(Fixture *f, gconstpointer data)
{
    g_autoptr(HfDesktop) desktop = open_desktop();
    const struct {
        const char *state;
        gboolean locked;
    } table[] = {{"BLANK", FALSE}, {"LOCK", TRUE}, {NULL, FALSE}};
    for (gsize i = 0; i < G_N_ELEMENTS(table); i++) {
        const uint32_t value[] = {table[i].state ? atom(f, table[i].state) : 0, 1, 1};
        xcb_change_property(f->xcb, XCB_PROP_MODE_REPLACE, f->screen->root,
                            atom(f, "_SCREENSAVER_STATUS"), XCB_ATOM_INTEGER, 32, 3, value);
        sync_xcb(f);
        g_assert_cmpint(is_locked(desktop), ==, table[i].locked);
    }
    /* Whatever else may be written there is no lock and no crash. */
    xcb_change_property(f->xcb, XCB_PROP_MODE_REPLACE, f->screen->root,
                        atom(f, "_SCREENSAVER_STATUS"), XCB_ATOM_STRING, 8, 3, "LOC");
    sync_xcb(f);
    g_assert_false(is_locked(desktop));
    xcb_delete_property(f->xcb, f->screen->root, atom(f, "_SCREENSAVER_STATUS"));
    sync_xcb(f);
}

/* A plain locker tells nobody: the recorder plays one under its name. */
static void test_plain_locker(Fixture *f, gconstpointer data)
{
    g_autoptr(HfDesktop) desktop = open_desktop();
    g_autofree char *recorder = g_build_filename(g_getenv("HF_TEST_APPS"), "recorder", NULL);
    const char *const names[] = {"i3lock", "presenter"};
    for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
        g_autofree char *name = g_build_filename(g_get_home_dir(), names[i], NULL);
        g_autofree char *bytes = NULL;
        gsize length;
        g_assert_true(g_file_get_contents(recorder, &bytes, &length, NULL));
        g_assert_true(g_file_set_contents_full(name, bytes, (gssize)length, 0, 0755, NULL));
        GSubprocess *small = test_spawn(G_SUBPROCESS_FLAGS_STDOUT_PIPE, name, "--geometry",
                                        "600x400+0+0", "--override", NULL);
        g_free(test_read_line(small));
        sync_xcb(f);
        g_assert_false(is_locked(desktop));
        GSubprocess *full = test_spawn(G_SUBPROCESS_FLAGS_STDOUT_PIPE, name, "--geometry",
                                       "1280x800+0+0", "--override", NULL);
        g_autofree char *line = test_read_line(full);
        assert_becomes(desktop, i == 0);
        test_end(full);
        assert_becomes(desktop, FALSE);
        test_end(small);
    }
}

static void test_without_buses(void)
{
    g_autoptr(HfDesktop) desktop = open_desktop();
    gint64 start = g_get_monotonic_time();
    g_assert_false(is_locked(desktop));
    g_assert_cmpint(g_get_monotonic_time() - start, <, 200000);
    start = g_get_monotonic_time();
    for (int i = 0; i < 500; i++)
        g_assert_false(is_locked(desktop));
    g_test_message("asking takes %d us", (int)((g_get_monotonic_time() - start) / 500));
}

static void test_window_manager(void)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(HfDesktop) desktop = open_desktop();
    g_autofree char *none = NULL;
    g_assert_true(hf_desktop_session_dup_window_manager(desktop, &none, &error));
    g_assert_null(none);
    GSubprocess *openbox = test_spawn(G_SUBPROCESS_FLAGS_STDERR_SILENCE, "openbox", NULL);
    g_autofree char *name = NULL;
    for (int i = 0; i < 1000 && !name; i++) {
        g_usleep(5000);
        g_assert_true(hf_desktop_session_dup_window_manager(desktop, &name, &error));
    }
    g_assert_cmpstr(name, ==, "Openbox");
    test_end(openbox);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/session/without-buses", test_without_buses);
    g_test_add_func("/session/window-manager", test_window_manager);
#define ADD(path, test) g_test_add("/session/" path, Fixture, NULL, set_up, test, tear_down)
    ADD("saver", test_saver);
    ADD("logind", test_logind);
    ADD("hanging-bus", test_hanging_bus);
    ADD("never-activates", test_never_activates);
    ADD("server-saver", test_server_saver);
    ADD("xscreensaver", test_xscreensaver);
    ADD("plain-locker", test_plain_locker);
    return g_test_run();
}
