/* SPDX-License-Identifier: Apache-2.0 */
/* The screen as a whole: its size, its monitors, and how large programs draw on it. */
#pragma once

#include "hand/desktop/screen.h"
#include "hand/x11/core/connection.h"

HfScreen *hf_x11_screen_get(HfDesktop *desktop, GError **error);
gboolean hf_x11_screen_get_size(HfDesktop *desktop, HfSize *ret_size, GError **error);
gboolean hf_x11_screen_get_scale(HfDesktop *desktop, double *ret_scale, GError **error);
gboolean hf_x11_screen_get_window_area(HfDesktop *desktop, guint32 window, HfRect *ret_area,
                                       GError **error);

/* The scale in two steps, so that it can be asked for together with other things. */
xcb_get_property_cookie_t hf_x11_scale_send_query(HfX11Connection *connection);
double hf_x11_scale_read(HfDesktop *desktop, HfX11Connection *connection,
                         xcb_get_property_cookie_t cookie);
/* FALSE with an error when the reply did not come. */
gboolean hf_x11_root_read(HfX11Connection *connection, xcb_get_geometry_cookie_t cookie,
                          HfSize *ret_size, int *ret_depth, GError **error);
