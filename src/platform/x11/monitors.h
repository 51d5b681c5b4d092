/* The screen as a whole: its size, its monitors, and how large programs draw on it. */
#pragma once

#include "platform/screen.h"

HfScreen *hf_x11_screen_get(HfDesktop *desktop, GError **error);
gboolean hf_x11_screen_get_size(HfDesktop *desktop, HfSize *ret_size, GError **error);
gboolean hf_x11_screen_get_window_area(HfDesktop *desktop, guint32 window, HfRect *ret_area,
                                       GError **error);
