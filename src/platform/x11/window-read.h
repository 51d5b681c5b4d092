/* Reading what there is to know of windows, many at once. */
#pragma once

#include "platform/windows.h"
#include "platform/x11/ewmh.h"

/* The windows of `ids` (HfWindow), in that order, without those that are gone or that no person
 * would call a window. All requests are sent before the first answer is read, so that many
 * windows take as long as one. */
GPtrArray *hf_x11_windows_read(HfX11Connection *connection, const HfX11Ewmh *ewmh,
                               const guint32 *ids, gsize count, GError **error);
