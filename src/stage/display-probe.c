/* SPDX-License-Identifier: Apache-2.0 */
/* The probe connects, writes the resolution for toolkits (RESOURCE_MANAGER) and waits for the
 * window manager. Its announcement by EWMH is not enough: openbox announces itself before its
 * event loop runs, and a window that is mapped in between stays invisible until another event
 * wakes it. So the probe asks it a question until it answers. On somebody's own display the probe
 * only connects. */
#include "stage/display-probe.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>
#include <xcb/xcb.h>

#include "shared/base/error.h"
#include "shared/wire/stage-protocol.h"

/* XCB_ATOM_NONE when the server does not answer. */
static xcb_atom_t stage_atom(xcb_connection_t *xcb, const char *name)
{
    xcb_intern_atom_reply_t *reply =
        xcb_intern_atom_reply(xcb, xcb_intern_atom(xcb, 0, (uint16_t)strlen(name), name), NULL);
    xcb_atom_t atom = reply ? reply->atom : XCB_ATOM_NONE;
    free(reply);
    return atom;
}

#define ASK_AGAIN_MS 10

static xcb_screen_t *find_screen(xcb_connection_t *xcb, int number)
{
    xcb_screen_iterator_t screens = xcb_setup_roots_iterator(xcb_get_setup(xcb));
    while (number-- > 0 && screens.rem > 1)
        xcb_screen_next(&screens);
    return screens.data;
}

static void write_resources(xcb_connection_t *xcb, const xcb_screen_t *screen,
                            const HfDisplayProbeOrder *order)
{
    g_autofree char *text =
        g_strdup_printf("Xft.dpi:\t%d\nXcursor.size:\t%d\n", order->dpi, order->cursor_size);
    xcb_change_property(xcb, XCB_PROP_MODE_REPLACE, screen->root, XCB_ATOM_RESOURCE_MANAGER,
                        XCB_ATOM_STRING, 8, (uint32_t)strlen(text), text);
    free(xcb_get_input_focus_reply(xcb, xcb_get_input_focus(xcb), NULL));
}

static xcb_window_t read_window_property(xcb_connection_t *xcb, xcb_window_t window,
                                         xcb_atom_t name)
{
    xcb_get_property_cookie_t cookie =
        xcb_get_property(xcb, 0, window, name, XCB_ATOM_WINDOW, 0, 1);
    xcb_get_property_reply_t *reply = xcb_get_property_reply(xcb, cookie, NULL);
    xcb_window_t value = XCB_WINDOW_NONE;
    if (reply && xcb_get_property_value_length(reply) == sizeof value)
        memcpy(&value, xcb_get_property_value(reply), sizeof value);
    free(reply);
    return value;
}

/* The root names a window that names itself. */
static gboolean wait_for_announcement(xcb_connection_t *xcb, xcb_window_t root)
{
    uint32_t wanted = XCB_EVENT_MASK_PROPERTY_CHANGE;
    xcb_atom_t check = stage_atom(xcb, "_NET_SUPPORTING_WM_CHECK");
    xcb_change_window_attributes(xcb, root, XCB_CW_EVENT_MASK, &wanted);
    while (!xcb_connection_has_error(xcb)) {
        xcb_window_t window = read_window_property(xcb, root, check);
        if (window != XCB_WINDOW_NONE && read_window_property(xcb, window, check) == window)
            return TRUE;
        free(xcb_wait_for_event(xcb));
    }
    return FALSE;
}

/* Whether the property of that window is set, after a short wait. */
static gboolean was_answered(xcb_connection_t *xcb, xcb_window_t window, xcb_atom_t property)
{
    struct pollfd wait = {xcb_get_file_descriptor(xcb), POLLIN, 0};
    gboolean answered = FALSE;
    poll(&wait, 1, ASK_AGAIN_MS);
    for (xcb_generic_event_t *event; (event = xcb_poll_for_event(xcb)); free(event)) {
        const xcb_property_notify_event_t *change = (const void *)event;
        answered = answered || ((event->response_type & 0x7f) == XCB_PROPERTY_NOTIFY &&
                                change->window == window && change->atom == property);
    }
    return answered;
}

/* Asks for the frame that our window would get. The window is never shown. */
static gboolean wait_for_manager(xcb_connection_t *xcb, xcb_window_t root)
{
    xcb_window_t window = xcb_generate_id(xcb);
    uint32_t wanted = XCB_EVENT_MASK_PROPERTY_CHANGE;
    xcb_create_window(xcb, XCB_COPY_FROM_PARENT, window, root, 0, 0, 1, 1, 0,
                      XCB_WINDOW_CLASS_INPUT_OUTPUT, XCB_COPY_FROM_PARENT, XCB_CW_EVENT_MASK,
                      &wanted);
    xcb_atom_t extents = stage_atom(xcb, "_NET_FRAME_EXTENTS");
    xcb_client_message_event_t question = {.response_type = XCB_CLIENT_MESSAGE,
                                           .format = 32,
                                           .window = window,
                                           .type = stage_atom(xcb, "_NET_REQUEST_FRAME_EXTENTS")};
    while (!xcb_connection_has_error(xcb)) {
        xcb_send_event(xcb, 0, root,
                       XCB_EVENT_MASK_SUBSTRUCTURE_NOTIFY | XCB_EVENT_MASK_SUBSTRUCTURE_REDIRECT,
                       (const char *)&question);
        xcb_flush(xcb);
        if (was_answered(xcb, window, extents))
            return TRUE;
    }
    return FALSE;
}

static gboolean report_step(HfDisplayProbeReport *report, HfDisplayProbeStep step)
{
    report->step = step;
    return write(HF_INHERITED_DESCRIPTOR, report, sizeof *report) == sizeof *report;
}

/* In the child. */
static int probe_display(const HfDisplayProbeOrder *order)
{
    int number = 0;
    if (order->authority)
        g_setenv("XAUTHORITY", order->authority, TRUE);
    xcb_connection_t *xcb = xcb_connect(order->display, &number);
    if (xcb_connection_has_error(xcb))
        return 1;
    const xcb_screen_t *screen = find_screen(xcb, number);
    HfDisplayProbeReport report = {0, screen->width_in_pixels, screen->height_in_pixels,
                                   screen->root_depth};
    if (order->dpi > 0)
        write_resources(xcb, screen, order);
    if (!report_step(&report, HF_DISPLAY_PROBE_CONNECTED))
        return 1;
    if (order->await_manager &&
        (!wait_for_announcement(xcb, screen->root) || !wait_for_manager(xcb, screen->root) ||
         !report_step(&report, HF_DISPLAY_PROBE_MANAGED)))
        return 1;
    xcb_disconnect(xcb);
    return 0;
}

/* The child must not keep any descriptor of the stage open. */
static void drop_inherited_descriptors(int reports)
{
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    if (reports != HF_INHERITED_DESCRIPTOR)
        dup2(reports, HF_INHERITED_DESCRIPTOR);
    close_range(HF_INHERITED_DESCRIPTOR + 1, ~0U, 0);
}

pid_t hf_display_probe_start(const HfDisplayProbeOrder *order, int *ret_reports, GError **error)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) < 0) {
        hf_fail(error, HF_ERROR_INTERNAL, "cannot create a pipe: %s", g_strerror(errno));
        return 0;
    }
    pid_t parent = getpid(), pid = fork();
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        drop_inherited_descriptors(ends[1]);
        _exit(getppid() == parent ? probe_display(order) : 1);
    }
    close(ends[1]);
    if (pid > 0) {
        *ret_reports = ends[0];
        return pid;
    }
    hf_fail(error, HF_ERROR_INTERNAL, "cannot fork: %s", g_strerror(errno));
    close(ends[0]);
    return 0;
}

/* ---- the settings manager ----
 * An XSETTINGS manager with three constant settings. Only this way GTK 3, GTK 4 and Chromium all
 * understand a whole factor for everything and a rest for fonts: with GDK_SCALE, GTK 4 and
 * Chromium multiply it by the resolution and draw four times as large instead of twice. Needed
 * from a scale of 2 on; below, the resolution is enough. */

static void append_setting(GByteArray *settings, const char *name, guint32 value)
{
    static const guint8 padding[4] = {0};
    guint16 length = (guint16)strlen(name);
    guint8 kind[2] = {0, 0}; /* an integer */
    guint32 serial = 1;
    g_byte_array_append(settings, kind, sizeof kind);
    g_byte_array_append(settings, (const guint8 *)&length, sizeof length);
    g_byte_array_append(settings, (const guint8 *)name, length);
    g_byte_array_append(settings, padding, (4 - length % 4) % 4);
    g_byte_array_append(settings, (const guint8 *)&serial, sizeof serial);
    g_byte_array_append(settings, (const guint8 *)&value, sizeof value);
}

static GByteArray *make_settings(double scale)
{
    const double whole = floor(scale), unit = 96 * 1024;
    const struct {
        const char *name;
        double value;
    } list[] = {
        {"Gdk/WindowScalingFactor", whole},
        {"Gdk/UnscaledDPI", unit * scale / whole},
        {"Xft/DPI", unit * scale},
        {"Gtk/CursorThemeSize", 24 * scale},
    };
    guint8 head[4] = {G_BYTE_ORDER == G_LITTLE_ENDIAN ? 0 : 1, 0, 0, 0};
    guint32 counts[2] = {1, G_N_ELEMENTS(list)}; /* serial, number of settings */
    GByteArray *settings = g_byte_array_new();
    g_byte_array_append(settings, head, sizeof head);
    g_byte_array_append(settings, (const guint8 *)counts, sizeof counts);
    for (gsize i = 0; i < G_N_ELEMENTS(list); i++)
        append_setting(settings, list[i].name, (guint32)round(list[i].value));
    return settings;
}

/* Becomes the manager of the first screen and announces it to running programs. */
static void take_over(xcb_connection_t *xcb, xcb_window_t root, const GByteArray *settings)
{
    xcb_atom_t selection = stage_atom(xcb, "_XSETTINGS_S0");
    xcb_atom_t property = stage_atom(xcb, "_XSETTINGS_SETTINGS");
    xcb_window_t window = xcb_generate_id(xcb);
    xcb_create_window(xcb, XCB_COPY_FROM_PARENT, window, root, -1, -1, 1, 1, 0,
                      XCB_WINDOW_CLASS_INPUT_ONLY, XCB_COPY_FROM_PARENT, 0, NULL);
    xcb_change_property(xcb, XCB_PROP_MODE_REPLACE, window, property, property, 8, settings->len,
                        settings->data);
    xcb_set_selection_owner(xcb, window, selection, XCB_CURRENT_TIME);
    xcb_client_message_event_t news = {
        .response_type = XCB_CLIENT_MESSAGE,
        .format = 32,
        .window = root,
        .type = stage_atom(xcb, "MANAGER"),
        .data.data32 = {XCB_CURRENT_TIME, selection, window},
    };
    xcb_send_event(xcb, 0, root, XCB_EVENT_MASK_STRUCTURE_NOTIFY, (const char *)&news);
    free(xcb_get_input_focus_reply(xcb, xcb_get_input_focus(xcb), NULL));
}

int hf_xsettings_main(double scale)
{
    if (!(scale >= 1))
        return 2;
    xcb_connection_t *xcb = xcb_connect(NULL, NULL);
    if (xcb_connection_has_error(xcb))
        return 1;
    g_autoptr(GByteArray) settings = make_settings(scale);
    take_over(xcb, xcb_setup_roots_iterator(xcb_get_setup(xcb)).data->root, settings);
    if (write(HF_INHERITED_DESCRIPTOR, "ready\n", 6) != 6)
        return 1;
    close(HF_INHERITED_DESCRIPTOR);
    for (xcb_generic_event_t *event; (event = xcb_wait_for_event(xcb)); free(event))
        ; /* nobody sends requests to us; we end with the server */
    xcb_disconnect(xcb);
    return 0;
}
