/* SPDX-License-Identifier: Apache-2.0 */
/* The size of the X11 screen and its scale: how large programs draw on it. In two steps, so that
 * they can be queried together with other things. */
#pragma once

#include "hand/desktop/screen.h"
#include "hand/x11/core/connection.h"

xcb_get_property_cookie_t hf_x11_scale_send_query(HfX11Connection *connection);
double hf_x11_scale_read(HfDesktop *desktop, HfX11Connection *connection,
                         xcb_get_property_cookie_t cookie);
/* FALSE with an error when there is no reply. */
gboolean hf_x11_root_read(HfX11Connection *connection, xcb_get_geometry_cookie_t cookie,
                          HfSize *ret_size, int *ret_depth, GError **error);
