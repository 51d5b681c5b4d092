/* SPDX-License-Identifier: Apache-2.0 */
/* Tries the real path of a call on a private virtual desktop: a picture, a pointer movement that
 * the X server confirms, the window manager, the elements of a program. The user's display and the
 * running desk are only asked whether they answer. */
#include <stdlib.h>
#include <string.h>
#include <xcb/xcb.h>

#include "cli/desk-client.h"
#include "cli/doctor/doctor.h"
#include "shared/base/error.h"
#include "shared/base/i18n.h"

#define PLACE_X 123
#define PLACE_Y 321

void hf_finding_set_error(HfFinding *finding, const GError *error)
{
    gboolean refused = g_error_matches(error, HF_ERROR, HF_ERROR_FORBIDDEN);
    hf_finding_set(finding, refused ? HF_HEALTH_WARN : HF_HEALTH_FAIL, "%s", error->message);
    hf_finding_repair(finding, refused ? "handfast config check" : "handfast serve --virtual");
}

/* Whether the running desk answers and can see its main desktop. */
static void check_desk(HfDoctor *doctor, HfFinding *finding)
{
    g_autoptr(GError) error = NULL;
    if (g_error_matches(doctor->unanswered, HF_ERROR, HF_ERROR_DESKTOP_TIMEOUT)) {
        hf_finding_set(finding, HF_HEALTH_FAIL, "%s", doctor->unanswered->message);
        hf_finding_repair(finding, _("stop everything: handfast stop; then end the desk's process "
                                     "and start it again: handfast serve"));
        return;
    }
    if (!doctor->status) {
        hf_finding_set(finding, HF_HEALTH_OK, "%s", _("no desk is running"));
        return;
    }
    g_autoptr(json_t) answer = hf_cli_request(
        "call", json_pack("{s:s, s:{s:b}}", "tool", "screenshot", "params", "image", 0), &error);
    if (answer && !hf_json_bool(answer, "ok", FALSE))
        error = hf_error_new_from_json(json_object_get(answer, "error"));
    if (!error) {
        const json_t *result = json_object_get(answer, "result");
        hf_finding_set(finding, HF_HEALTH_OK, _("desk %s (process %d) sees %d x %d pixels"),
                       hf_json_string(doctor->status, "version", "?"),
                       (int)hf_json_int(doctor->status, "pid", 0),
                       (int)hf_json_int(result, "width", 0), (int)hf_json_int(result, "height", 0));
        return;
    }
    hf_finding_set(finding, HF_HEALTH_WARN, _("the desk is running but cannot take a picture: %s"),
                   error->message);
    hf_finding_repair(finding, "handfast status");
}

/* The user's own display is only asked for its size. */
static void check_user_display(HfDoctor *doctor, HfFinding *finding)
{
    const char *name = g_getenv("DISPLAY");
    if (!name || !*name) {
        hf_finding_set(finding, HF_HEALTH_OK, "%s",
                       _("no $DISPLAY: 'main' will be a virtual desktop"));
        return;
    }
    xcb_connection_t *xcb = xcb_connect(name, NULL);
    if (xcb_connection_has_error(xcb)) {
        hf_finding_set(finding, HF_HEALTH_FAIL, _("cannot open the display %s"), name);
        hf_finding_repair(finding, "unset DISPLAY; handfast serve --virtual");
    } else {
        const xcb_screen_t *screen = xcb_setup_roots_iterator(xcb_get_setup(xcb)).data;
        hf_finding_set(finding, HF_HEALTH_OK, _("display %s, %d x %d pixels"), name,
                       screen->width_in_pixels, screen->height_in_pixels);
    }
    xcb_disconnect(xcb);
}

static void check_picture(HfDoctor *doctor, HfFinding *finding)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(json_t) result =
        hf_test_desk_call(doctor->probe, "screenshot", json_object(), &error);
    if (!result) {
        hf_finding_set_error(finding, error);
        return;
    }
    gsize size = strlen(hf_json_string(result, "image", "")) / 4 * 3;
    hf_finding_set(finding, size > 0 ? HF_HEALTH_OK : HF_HEALTH_FAIL,
                   _("a picture of %d x %d pixels, %d bytes"), (int)hf_json_int(result, "width", 0),
                   (int)hf_json_int(result, "height", 0), (int)size);
}

/* Connects to the test desk's display; NULL: not possible. */
static xcb_connection_t *connect_probe(HfDoctor *doctor)
{
    const char *display = hf_test_desk_variable(doctor->probe, "DISPLAY");
    const char *cookie = hf_test_desk_variable(doctor->probe, "XAUTHORITY");
    if (cookie)
        g_setenv("XAUTHORITY", cookie, TRUE);
    xcb_connection_t *xcb = display ? xcb_connect(display, NULL) : NULL;
    if (xcb && !xcb_connection_has_error(xcb))
        return xcb;
    if (xcb)
        xcb_disconnect(xcb);
    return NULL;
}

static void check_pointer(HfDoctor *doctor, HfFinding *finding)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(json_t) moved = hf_test_desk_call(
        doctor->probe, "mouse_move", json_pack("{s:i, s:i}", "x", PLACE_X, "y", PLACE_Y), &error);
    xcb_connection_t *xcb = moved ? connect_probe(doctor) : NULL;
    if (!xcb) {
        if (error)
            hf_finding_set_error(finding, error);
        else
            hf_finding_set(finding, HF_HEALTH_FAIL, "%s", _("cannot open the virtual display"));
        return;
    }
    xcb_window_t root = xcb_setup_roots_iterator(xcb_get_setup(xcb)).data->root;
    xcb_query_pointer_reply_t *reply =
        xcb_query_pointer_reply(xcb, xcb_query_pointer(xcb, root), NULL);
    int x = reply ? reply->root_x : -1, y = reply ? reply->root_y : -1;
    gboolean there = x == PLACE_X && y == PLACE_Y;
    hf_finding_set(finding, there ? HF_HEALTH_OK : HF_HEALTH_FAIL,
                   there ? _("moved to %d,%d, and the X server confirms it")
                         : _("moved, but the X server reports %d,%d"),
                   x, y);
    free(reply);
    xcb_disconnect(xcb);
}

static xcb_get_property_reply_t *read_x_property(xcb_connection_t *xcb, xcb_window_t window,
                                                 const char *name)
{
    xcb_intern_atom_reply_t *atom =
        xcb_intern_atom_reply(xcb, xcb_intern_atom(xcb, 0, (guint16)strlen(name), name), NULL);
    xcb_get_property_cookie_t cookie = xcb_get_property(
        xcb, 0, window, atom ? atom->atom : XCB_ATOM_NONE, XCB_GET_PROPERTY_TYPE_ANY, 0, 64);
    free(atom);
    return xcb_get_property_reply(xcb, cookie, NULL);
}

static char *dup_manager(xcb_connection_t *xcb)
{
    xcb_window_t root = xcb_setup_roots_iterator(xcb_get_setup(xcb)).data->root, window = 0;
    xcb_get_property_reply_t *check = read_x_property(xcb, root, "_NET_SUPPORTING_WM_CHECK");
    if (check && xcb_get_property_value_length(check) == sizeof window)
        memcpy(&window, xcb_get_property_value(check), sizeof window);
    free(check);
    xcb_get_property_reply_t *name = window ? read_x_property(xcb, window, "_NET_WM_NAME") : NULL;
    char *text =
        name && xcb_get_property_value_length(name) > 0
            ? g_utf8_make_valid(xcb_get_property_value(name), xcb_get_property_value_length(name))
            : NULL;
    free(name);
    return text;
}

static void check_manager(HfDoctor *doctor, HfFinding *finding)
{
    g_autoptr(GError) error = NULL;
    if (!hf_test_desk_ensure(doctor->probe, &error)) {
        hf_finding_set_error(finding, error);
        return;
    }
    xcb_connection_t *xcb = connect_probe(doctor);
    g_autofree char *name = xcb ? dup_manager(xcb) : NULL;
    if (name) {
        hf_finding_set(finding, HF_HEALTH_OK, _("%s answers"), name);
    } else {
        hf_finding_set(finding, HF_HEALTH_FAIL, "%s", _("no window manager answers"));
        hf_finding_repair(finding, "sudo apt install openbox");
    }
    if (xcb)
        xcb_disconnect(xcb);
}

const HfCheck hf_doctor_desktop_checks[] = {
    {"display", check_user_display},
    {"desk", check_desk},
    {"picture", check_picture},
    {"pointer", check_pointer},
    {"window-manager", check_manager},
    {"accessibility", hf_doctor_check_tree},
    {0},
};
