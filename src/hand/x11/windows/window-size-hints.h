/* SPDX-License-Identifier: Apache-2.0 */
/* Which sizes a window's program allows (WM_NORMAL_HINTS). */
#pragma once

#include "hand/x11/core/connection.h"

/* The size that the hints make of `wanted`: within minimum and maximum, in whole steps. Pure. */
HfSize hf_x11_size_by_hints(const guint32 *hints, gsize count, HfSize wanted);
HfSize hf_x11_allowed_size(HfX11Connection *connection, xcb_window_t window, HfSize wanted);
