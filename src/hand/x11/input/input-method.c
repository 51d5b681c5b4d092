/* SPDX-License-Identifier: Apache-2.0 */
/* Fcitx, IBus and their like take keys from programs, look them up in the keymap themselves, and
 * give text back: what a program has read is not settled before they have done their part. They
 * announce themselves in a property of the root, as owners of selections. */
#include "hand/x11/input/input-method.h"

#include <stdlib.h>

GArray *hf_x11_input_methods_dup_windows(HfX11Connection *connection)
{
    GArray *windows = g_array_new(FALSE, FALSE, sizeof(xcb_window_t));
    gsize count;
    g_autofree guint32 *servers =
        hf_x11_dup_property32(connection, connection->root, "XIM_SERVERS", XCB_ATOM_ATOM, &count);
    for (gsize i = 0; i < count; i++) {
        xcb_get_selection_owner_reply_t *reply = xcb_get_selection_owner_reply(
            connection->xcb, xcb_get_selection_owner(connection->xcb, servers[i]), NULL);
        if (reply && reply->owner != XCB_NONE)
            g_array_append_val(windows, reply->owner);
        free(reply);
    }
    return windows;
}
