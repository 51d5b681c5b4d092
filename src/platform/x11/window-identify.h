/* What the windows are called that an event would reach. */
#pragma once

#include "platform/windows.h"
#include "platform/x11/x11.h"

/* The windows at `point`, outermost first; without one those with the focus and in front. Only id,
 * title, class, instance and pid are set. */
GPtrArray *hf_x11_window_identify(HfDesktop *desktop, const HfPoint *point, GError **error);
