/* SPDX-License-Identifier: Apache-2.0 */
/* Connecting, atoms, properties. Distinguishes the two reasons for a missing reply: the window is
 * gone (no value), or the server is gone (DESKTOP_UNAVAILABLE). */
#include "hand/x11/core/connection.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "hand/apps/apps-limits.h"
#include "shared/base/error.h"
#include "shared/base/limits.h"

static xcb_screen_t *find_numbered_screen(xcb_connection_t *xcb, int number)
{
    xcb_screen_iterator_t screens = xcb_setup_roots_iterator(xcb_get_setup(xcb));
    while (number-- > 0 && screens.rem > 1)
        xcb_screen_next(&screens);
    return screens.data;
}

HfX11Connection *hf_x11_connect(const char *display, GError **error)
{
    int number = 0;
    xcb_connection_t *xcb = xcb_connect(display, &number);
    if (xcb_connection_has_error(xcb)) {
        xcb_disconnect(xcb);
        hf_fail(error, HF_ERROR_DESKTOP_UNAVAILABLE,
                "cannot connect to the X server '%s'; check that it runs and that DISPLAY names it",
                display ? display : "");
        return NULL;
    }
    HfX11Connection *connection = g_new0(HfX11Connection, 1);
    connection->xcb = xcb;
    connection->screen = find_numbered_screen(xcb, number);
    connection->root = connection->screen->root;
    connection->display = g_strdup(display);
    connection->atoms = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_mutex_init(&connection->lock);
    return connection;
}

void hf_x11_disconnect(HfX11Connection *connection)
{
    if (!connection)
        return;
    xcb_disconnect(connection->xcb);
    g_hash_table_unref(connection->atoms);
    g_clear_pointer(&connection->clients, g_array_unref);
    g_mutex_clear(&connection->lock);
    g_free(connection->display);
    g_free(connection);
}

gboolean hf_x11_check(HfX11Connection *connection, GError **error)
{
    if (!xcb_connection_has_error(connection->xcb))
        return TRUE;
    return hf_fail(error, HF_ERROR_DESKTOP_UNAVAILABLE, "the X server '%s' has gone away",
                   connection->display ? connection->display : "");
}

int hf_x11_server_pid(HfX11Connection *connection)
{
    struct ucred peer = {0};
    socklen_t size = sizeof peer;
    int fd = xcb_get_file_descriptor(connection->xcb);
    return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 ? peer.pid : 0;
}

gboolean hf_x11_sync(HfX11Connection *connection, GError **error)
{
    free(xcb_get_input_focus_reply(connection->xcb, xcb_get_input_focus(connection->xcb), NULL));
    return hf_x11_check(connection, error);
}

void hf_x11_discard_events(HfX11Connection *connection)
{
    xcb_generic_event_t *event;
    while ((event = xcb_poll_for_queued_event(connection->xcb)))
        free(event);
}

static xcb_atom_t find_atom(HfX11Connection *connection, const char *name)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&connection->lock);
    return GPOINTER_TO_UINT(g_hash_table_lookup(connection->atoms, name));
}

static xcb_intern_atom_cookie_t request_atom(HfX11Connection *connection, const char *name)
{
    return xcb_intern_atom(connection->xcb, 0, (uint16_t)strlen(name), name);
}

static xcb_atom_t cache_atom(HfX11Connection *connection, const char *name,
                             xcb_intern_atom_cookie_t cookie)
{
    xcb_intern_atom_reply_t *reply = xcb_intern_atom_reply(connection->xcb, cookie, NULL);
    if (!reply)
        return XCB_ATOM_NONE;
    xcb_atom_t atom = reply->atom;
    free(reply);
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&connection->lock);
    g_hash_table_insert(connection->atoms, g_strdup(name), GUINT_TO_POINTER(atom));
    return atom;
}

xcb_atom_t hf_x11_atom(HfX11Connection *connection, const char *name)
{
    xcb_atom_t atom = find_atom(connection, name);
    return atom ? atom : cache_atom(connection, name, request_atom(connection, name));
}

void hf_x11_preload_atoms(HfX11Connection *connection, const char *const *names)
{
    g_autoptr(GPtrArray) unknown = g_ptr_array_new();
    g_autoptr(GArray) cookies = g_array_new(FALSE, FALSE, sizeof(xcb_intern_atom_cookie_t));
    for (; *names; names++) {
        if (find_atom(connection, *names))
            continue;
        xcb_intern_atom_cookie_t cookie = request_atom(connection, *names);
        g_ptr_array_add(unknown, (gpointer)*names);
        g_array_append_val(cookies, cookie);
    }
    for (guint i = 0; i < unknown->len; i++)
        cache_atom(connection, unknown->pdata[i],
                   g_array_index(cookies, xcb_intern_atom_cookie_t, i));
}

char *hf_x11_dup_atom_name(HfX11Connection *connection, xcb_atom_t atom)
{
    xcb_get_atom_name_reply_t *reply =
        xcb_get_atom_name_reply(connection->xcb, xcb_get_atom_name(connection->xcb, atom), NULL);
    if (!reply)
        return NULL;
    char *name =
        g_strndup(xcb_get_atom_name_name(reply), (gsize)xcb_get_atom_name_name_length(reply));
    free(reply);
    return name;
}

const xcb_query_extension_reply_t *hf_x11_extension(HfX11Connection *connection,
                                                    xcb_extension_t *extension)
{
    const xcb_query_extension_reply_t *reply = xcb_get_extension_data(connection->xcb, extension);
    return reply && reply->present ? reply : NULL;
}

xcb_get_property_reply_t *hf_x11_property(HfX11Connection *connection, xcb_window_t window,
                                          const char *name, xcb_atom_t type, guint max_bytes)
{
    xcb_get_property_cookie_t cookie = xcb_get_property(
        connection->xcb, 0, window, hf_x11_atom(connection, name), type, 0, max_bytes / 4);
    xcb_get_property_reply_t *reply = xcb_get_property_reply(connection->xcb, cookie, NULL);
    if (reply && reply->type != XCB_ATOM_NONE && (type == XCB_ATOM_ANY || reply->type == type))
        return reply;
    free(reply);
    return NULL;
}

guint32 *hf_x11_dup_property32(HfX11Connection *connection, xcb_window_t window, const char *name,
                               xcb_atom_t type, gsize *ret_count)
{
    *ret_count = 0;
    xcb_get_property_reply_t *reply =
        hf_x11_property(connection, window, name, type, HF_LIMIT_WINDOWS * 4);
    if (!reply)
        return NULL;
    guint32 *values = NULL;
    if (reply->format == 32) {
        gsize bytes = (gsize)xcb_get_property_value_length(reply);
        values = g_memdup2(xcb_get_property_value(reply), bytes);
        *ret_count = bytes / 4;
    }
    free(reply);
    return values;
}

HfX11Encoding hf_x11_encoding(HfX11Connection *connection, xcb_atom_t type)
{
    if (type == XCB_ATOM_STRING)
        return HF_X11_ENCODING_LATIN1;
    return type == hf_x11_atom(connection, "COMPOUND_TEXT") ? HF_X11_ENCODING_COMPOUND
                                                            : HF_X11_ENCODING_UTF8;
}

char *hf_x11_dup_property_text(HfX11Connection *connection, xcb_window_t window, const char *name)
{
    xcb_get_property_reply_t *reply =
        hf_x11_property(connection, window, name, XCB_ATOM_ANY, HF_LIMIT_TITLE_BYTES);
    if (!reply)
        return NULL;
    gsize length = reply->format == 8 ? (gsize)xcb_get_property_value_length(reply) : 0;
    char *text = hf_x11_text_decode(hf_x11_encoding(connection, reply->type),
                                    xcb_get_property_value(reply), length, reply->bytes_after > 0);
    free(reply);
    return text;
}
