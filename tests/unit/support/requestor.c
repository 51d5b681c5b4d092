/* SPDX-License-Identifier: Apache-2.0 */
/* Bare requests of selections. */
#include "requestor.h"

#include <stdlib.h>
#include <string.h>

#include "await.h"

struct Requestor {
    xcb_connection_t *xcb;
    xcb_window_t window;
};

Requestor *requestor_new(void)
{
    Requestor *requestor = g_new0(Requestor, 1);
    requestor->xcb = xcb_connect(NULL, NULL);
    g_assert_false(xcb_connection_has_error(requestor->xcb));
    requestor->window = xcb_generate_id(requestor->xcb);
    guint32 mask = XCB_EVENT_MASK_PROPERTY_CHANGE;
    xcb_create_window(requestor->xcb, 0, requestor->window,
                      xcb_setup_roots_iterator(xcb_get_setup(requestor->xcb)).data->root, 0, 0, 1,
                      1, 0, XCB_WINDOW_CLASS_INPUT_ONLY, XCB_COPY_FROM_PARENT, XCB_CW_EVENT_MASK,
                      &mask);
    return requestor;
}

void requestor_free(Requestor *requestor)
{
    xcb_disconnect(requestor->xcb);
    g_free(requestor);
}

xcb_connection_t *requestor_xcb(const Requestor *requestor)
{
    return requestor->xcb;
}

xcb_window_t requestor_window(const Requestor *requestor)
{
    return requestor->window;
}

xcb_atom_t requestor_atom(Requestor *requestor, const char *name)
{
    xcb_intern_atom_reply_t *reply = xcb_intern_atom_reply(
        requestor->xcb, xcb_intern_atom(requestor->xcb, 0, (guint16)strlen(name), name), NULL);
    xcb_atom_t atom = reply->atom;
    free(reply);
    return atom;
}

xcb_atom_t requestor_convert(Requestor *requestor, const char *selection, const char *target,
                             const char *property)
{
    xcb_convert_selection(requestor->xcb, requestor->window, requestor_atom(requestor, selection),
                          requestor_atom(requestor, target),
                          property ? requestor_atom(requestor, property) : XCB_ATOM_NONE,
                          XCB_CURRENT_TIME);
    xcb_flush(requestor->xcb);
    for (;;) {
        xcb_generic_event_t *event = xcb_wait_for_event(requestor->xcb);
        g_assert_nonnull(event);
        gboolean answer = (event->response_type & 0x7f) == XCB_SELECTION_NOTIFY;
        xcb_atom_t written = ((xcb_selection_notify_event_t *)event)->property;
        free(event);
        if (answer)
            return written;
    }
}

xcb_get_property_reply_t *requestor_take(Requestor *requestor, const char *property)
{
    xcb_get_property_cookie_t cookie =
        xcb_get_property(requestor->xcb, 1, requestor->window, requestor_atom(requestor, property),
                         XCB_ATOM_ANY, 0, 1024 * 1024);
    return xcb_get_property_reply(requestor->xcb, cookie, NULL);
}

GBytes *requestor_fetch(Requestor *requestor, const char *selection, const char *target)
{
    if (!requestor_convert(requestor, selection, target, "FETCHED"))
        return NULL;
    xcb_get_property_reply_t *reply = requestor_take(requestor, "FETCHED");
    GBytes *bytes =
        g_bytes_new(xcb_get_property_value(reply), (gsize)xcb_get_property_value_length(reply));
    free(reply);
    return bytes;
}

xcb_window_t requestor_owner_of(Requestor *requestor, const char *selection)
{
    xcb_get_selection_owner_reply_t *reply = xcb_get_selection_owner_reply(
        requestor->xcb,
        xcb_get_selection_owner(requestor->xcb, requestor_atom(requestor, selection)), NULL);
    xcb_window_t owner = reply->owner;
    free(reply);
    return owner;
}

static void set_owner(Requestor *requestor, const char *selection, xcb_window_t owner)
{
    xcb_set_selection_owner(requestor->xcb, owner, requestor_atom(requestor, selection),
                            XCB_CURRENT_TIME);
    g_assert_cmpuint(requestor_owner_of(requestor, selection), ==, owner);
}

void requestor_own(Requestor *requestor, const char *selection)
{
    set_owner(requestor, selection, requestor->window);
}

void requestor_release(Requestor *requestor, const char *selection)
{
    set_owner(requestor, selection, XCB_WINDOW_NONE);
}

void requestor_focus(Requestor *requestor, xcb_window_t window)
{
    xcb_get_input_focus_reply_t *reply = NULL;
    xcb_window_t focus = XCB_WINDOW_NONE;
    gint64 until_us = g_get_monotonic_time() + TEST_PATIENCE_MS * G_TIME_SPAN_MILLISECOND;
    while (focus != window) { /* refused until the window is visible */
        xcb_set_input_focus(requestor->xcb, XCB_INPUT_FOCUS_PARENT, window, XCB_CURRENT_TIME);
        reply =
            xcb_get_input_focus_reply(requestor->xcb, xcb_get_input_focus(requestor->xcb), NULL);
        focus = reply->focus;
        free(reply);
        g_assert_cmpint(g_get_monotonic_time(), <, until_us);
    }
}
