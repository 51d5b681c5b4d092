/* SPDX-License-Identifier: Apache-2.0 */
/* The environment of programs on a desktop. Qt gets the scale by its own variables, which override
 * the resolution that other toolkits use. */
#include "stage/environment.h"

#include <gio/gio.h>
#include <math.h>

#include "shared/wire/stage-protocol.h"

struct HfEnvironment {
    char **list;
    json_t *set;
};

/* Variables of the session that the desk was started in; wrong in any other. */
static const char *const foreign[] = {
    "DISPLAY",
    "WAYLAND_DISPLAY",
    "WAYLAND_SOCKET",
    "XAUTHORITY",
    "XDG_SESSION_ID",
    "XDG_SESSION_CLASS",
    "XDG_SESSION_DESKTOP",
    "XDG_SESSION_PATH",
    "XDG_SEAT",
    "XDG_SEAT_PATH",
    "XDG_VTNR",
    "XDG_ACTIVATION_TOKEN",
    "XDG_MENU_PREFIX",
    "DESKTOP_SESSION",
    "DESKTOP_STARTUP_ID",
    "DESKTOP_AUTOSTART_ID",
    "SESSION_MANAGER",
    "DBUS_STARTER_ADDRESS",
    "DBUS_STARTER_BUS_TYPE",
    "AT_SPI_BUS_ADDRESS",
    "NO_AT_BRIDGE",
    "GNOME_DESKTOP_SESSION_ID",
    "GNOME_SETUP_DISPLAY",
    "KDE_FULL_SESSION",
    "KDE_SESSION_VERSION",
    "GIO_LAUNCHED_DESKTOP_FILE",
    "GIO_LAUNCHED_DESKTOP_FILE_PID",
    "GDK_SCALE",
    "GDK_DPI_SCALE",
    "GDK_BACKEND",
    "QT_SCALE_FACTOR",
    "QT_SCREEN_SCALE_FACTORS",
    "QT_AUTO_SCREEN_SCALE_FACTOR",
    "QT_ENABLE_HIGHDPI_SCALING",
    "QT_FONT_DPI",
    "QT_QPA_PLATFORM",
    "QT_IM_MODULE",
    "GTK_IM_MODULE",
    "XMODIFIERS",
    "PULSE_SERVER",
    "SSH_TTY",
    "WINDOWID",
    "TERM",
    "COLUMNS",
    "LINES",
    "NOTIFY_SOCKET",
    "WATCHDOG_PID",
    "WATCHDOG_USEC",
    "LISTEN_FDS",
    "LISTEN_PID",
    "LISTEN_FDNAMES",
    "JOURNAL_STREAM",
    "INVOCATION_ID",
};

/* A private home has its own directories below. */
static const char *const below_home[] = {"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME",
                                         "XDG_STATE_HOME"};

void hf_environment_set(HfEnvironment *environment, const char *name, const char *value)
{
    environment->list = g_environ_setenv(environment->list, name, value, TRUE);
    json_object_set_new(environment->set, name, hf_json_text(value));
}

static void set_number_variable(HfEnvironment *environment, const char *name, double value)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE];
    hf_environment_set(environment, name, g_ascii_formatd(text, sizeof text, "%g", value));
}

/* GTK and Chromium get it from the resolution and the settings manager (display-probe.c). */
static void set_scale(HfEnvironment *environment, double scale)
{
    set_number_variable(environment, "QT_SCALE_FACTOR", scale);
    hf_environment_set(environment, "QT_FONT_DPI", "96");
    hf_environment_set(environment, "QT_AUTO_SCREEN_SCALE_FACTOR", "0");
    hf_environment_set(environment, "QT_ENABLE_HIGHDPI_SCALING", "0");
    set_number_variable(environment, "XCURSOR_SIZE", round(24 * scale));
}

static void set_home(HfEnvironment *environment, const char *directory)
{
    g_autofree char *home = g_build_filename(directory, "home", NULL);
    hf_environment_set(environment, "HOME", home);
    for (gsize i = 0; i < G_N_ELEMENTS(below_home); i++)
        environment->list = g_environ_unsetenv(environment->list, below_home[i]);
}

/* Without a UTF-8 locale, terminals and old toolkits cannot show what is typed. */
static void ensure_locale(HfEnvironment *environment)
{
    if (!g_environ_getenv(environment->list, "LC_ALL") &&
        !g_environ_getenv(environment->list, "LC_CTYPE") &&
        !g_environ_getenv(environment->list, "LANG"))
        hf_environment_set(environment, "LANG", "C.UTF-8");
}

static HfEnvironment *copy_own(void)
{
    HfEnvironment *environment = g_new(HfEnvironment, 1);
    *environment = (HfEnvironment){g_get_environ(), json_object()};
    return environment;
}

HfEnvironment *hf_environment_new(const HfStageOptions *options, const char *directory)
{
    HfEnvironment *environment = copy_own();
    for (gsize i = 0; i < G_N_ELEMENTS(foreign); i++)
        environment->list = g_environ_unsetenv(environment->list, foreign[i]);
    g_autofree char *escaped = g_dbus_address_escape_value(directory);
    g_autofree char *bus = g_strdup_printf("unix:path=%s/bus", escaped);
    g_autofree char *authority = g_build_filename(directory, "Xauthority", NULL);
    hf_environment_set(environment, HF_MARK_ID, options->id);
    hf_environment_set(environment, HF_MARK_DIRECTORY, directory);
    hf_environment_set(environment, "XDG_RUNTIME_DIR", directory);
    hf_environment_set(environment, "XDG_SESSION_TYPE", "x11");
    hf_environment_set(environment, "XDG_CURRENT_DESKTOP", "openbox");
    hf_environment_set(environment, "GDK_BACKEND", "x11");
    hf_environment_set(environment, "QT_QPA_PLATFORM", "xcb");
    hf_environment_set(environment, "XAUTHORITY", authority);
    hf_environment_set(environment, "DBUS_SESSION_BUS_ADDRESS", bus);
    hf_environment_set(environment, "GVFS_DISABLE_FUSE", "1");
    /* There is no graphics card. Drawing GTK 4 with OpenGL in software takes a whole processor, and
     * a program that only draws never gets to report its elements. */
    if (!g_environ_getenv(environment->list, "GSK_RENDERER"))
        hf_environment_set(environment, "GSK_RENDERER", "cairo");
    set_scale(environment, options->scale);
    if (options->own_home)
        set_home(environment, directory);
    ensure_locale(environment);
    return environment;
}

void hf_environment_use_proxy(HfEnvironment *environment, int port)
{
    static const char *const by_http[] = {"http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"};
    static const char *const by_socks[] = {"all_proxy", "ALL_PROXY"};
    static const char *const without[] = {"no_proxy", "NO_PROXY"};
    g_autofree char *http = g_strdup_printf("http://127.0.0.1:%d", port);
    g_autofree char *socks = g_strdup_printf("socks5h://127.0.0.1:%d", port);
    for (gsize i = 0; i < G_N_ELEMENTS(by_http); i++)
        environment->list = g_environ_setenv(environment->list, by_http[i], http, TRUE);
    for (gsize i = 0; i < G_N_ELEMENTS(by_socks); i++)
        environment->list = g_environ_setenv(environment->list, by_socks[i], socks, TRUE);
    for (gsize i = 0; i < G_N_ELEMENTS(without); i++)
        environment->list =
            g_environ_setenv(environment->list, without[i], "localhost,127.0.0.1,::1", TRUE);
}

HfEnvironment *hf_environment_new_attached(const char *display)
{
    HfEnvironment *environment = copy_own();
    hf_environment_set(environment, "DISPLAY", display);
    return environment;
}

void hf_environment_free(HfEnvironment *environment)
{
    if (!environment)
        return;
    g_strfreev(environment->list);
    json_decref(environment->set);
    g_free(environment);
}

const char *hf_environment_get(const HfEnvironment *environment, const char *name)
{
    return g_environ_getenv(environment->list, name);
}

char *const *hf_environment_list(const HfEnvironment *environment)
{
    return environment->list;
}

json_t *hf_environment_to_json(const HfEnvironment *environment)
{
    return json_deep_copy(environment->set);
}
