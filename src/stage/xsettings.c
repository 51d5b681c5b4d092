/* SPDX-License-Identifier: Apache-2.0 */
/* An XSETTINGS manager with three constant settings. Only this way GTK 3, GTK 4 and Chromium all
 * understand a whole factor for everything and a rest for fonts: with GDK_SCALE, GTK 4 and
 * Chromium multiply it by the resolution and draw four times as large instead of twice. Needed
 * from a scale of 2 on; below, the resolution is enough. */
#include "stage/xsettings.h"

#include <glib.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xcb/xcb.h>

#include "shared/wire/stage-protocol.h"
#include "stage/x-atom.h"

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
    xcb_atom_t selection = hf_stage_atom(xcb, "_XSETTINGS_S0");
    xcb_atom_t property = hf_stage_atom(xcb, "_XSETTINGS_SETTINGS");
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
        .type = hf_stage_atom(xcb, "MANAGER"),
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
