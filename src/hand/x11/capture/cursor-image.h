/* SPDX-License-Identifier: Apache-2.0 */
/* The pointer's picture. */
#pragma once

#include <xcb/xfixes.h>

#include "hand/x11/capture/change-tracker.h"
#include "shared/image/image.h"

/* Once for each connection; FALSE when the server cannot show its pointer. */
gboolean hf_x11_cursor_supported(HfX11Connection *connection);

/* Reads the reply and tells `changes`. The picture (A R G B, premultiplied) is NULL when there is
 * none; `ret_at` is its top left corner on the screen. */
HfImage *hf_x11_cursor_read(HfX11Connection *connection,
                            xcb_xfixes_get_cursor_image_cookie_t cookie,
                            HfX11ChangeTracker *changes, HfPoint *ret_at);
