/* SPDX-License-Identifier: Apache-2.0 */
/* The probe connects, writes the resolution for toolkits (RESOURCE_MANAGER) and waits for the
 * window manager. Its announcement by EWMH is not enough: openbox announces itself before its
 * event loop runs, and a window that is mapped in between stays invisible until another event
 * wakes it. So the probe asks it a question until it answers. On somebody's own display the probe
 * only connects. */
#include "stage/display-probe.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>
#include <xcb/xcb.h>

#include "shared/base/error.h"
#include "shared/wire/stage-protocol.h"
#include "stage/x-atom.h"

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
    xcb_atom_t check = hf_stage_atom(xcb, "_NET_SUPPORTING_WM_CHECK");
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
    xcb_atom_t extents = hf_stage_atom(xcb, "_NET_FRAME_EXTENTS");
    xcb_client_message_event_t question = {.response_type = XCB_CLIENT_MESSAGE,
                                           .format = 32,
                                           .window = window,
                                           .type =
                                               hf_stage_atom(xcb, "_NET_REQUEST_FRAME_EXTENTS")};
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
