/* SPDX-License-Identifier: Apache-2.0 */
/* The pointer by XFixes, which gives it as the server draws it, with its hot spot. */
#include "hand/x11/capture/cursor-image.h"

#include <stdlib.h>
#include <string.h>

gboolean hf_x11_cursor_supported(HfX11Connection *connection)
{
    if (!hf_x11_extension(connection, &xcb_xfixes_id))
        return FALSE;
    xcb_xfixes_query_version_reply_t *version = xcb_xfixes_query_version_reply(
        connection->xcb, xcb_xfixes_query_version(connection->xcb, 5, 0), NULL);
    gboolean there = version != NULL;
    free(version);
    return there;
}

HfImage *hf_x11_cursor_read(HfX11Connection *connection,
                            xcb_xfixes_get_cursor_image_cookie_t cookie,
                            HfX11ChangeTracker *changes, HfPoint *ret_at)
{
    xcb_xfixes_get_cursor_image_reply_t *reply =
        xcb_xfixes_get_cursor_image_reply(connection->xcb, cookie, NULL);
    if (!reply)
        return NULL;
    hf_x11_change_tracker_set_cursor(changes, (HfPoint){reply->x, reply->y}, reply->cursor_serial);
    gsize pixels = (gsize)reply->width * reply->height;
    HfImage *image = NULL;
    if (pixels > 0 && (gsize)xcb_xfixes_get_cursor_image_cursor_image_length(reply) >= pixels) {
        image = hf_image_new(reply->width, reply->height);
        memcpy(image->pixels, xcb_xfixes_get_cursor_image_cursor_image(reply), 4 * pixels);
        *ret_at = (HfPoint){reply->x - reply->xhot, reply->y - reply->yhot};
    }
    free(reply);
    return image;
}
