/* SPDX-License-Identifier: Apache-2.0 */
/* How an X server lays out the pixels of a drawable, and turning them into ours. */
#pragma once

#include "hand/x11/core/connection.h"
#include "shared/image/image.h"

typedef struct HfX11PixelFormat {
    int bits;         /* of one pixel in memory: 16, 24, 32 */
    int pad;          /* rows are a multiple of so many bits */
    gboolean big;     /* most significant byte first */
    guint32 masks[3]; /* red, green, blue */
} HfX11PixelFormat;

/* Of a window; 0: of the root, without asking. UNSUPPORTED for screens with a palette, also when
 * the window is gone. */
gboolean hf_x11_pixel_format_find(HfX11Connection *connection, xcb_window_t window,
                                  HfX11PixelFormat *ret_format, GError **error);
gsize hf_x11_pixel_format_stride(const HfX11PixelFormat *format, int width);
/* Are these pixels ours already? */
gboolean hf_x11_pixel_format_is_native(const HfX11PixelFormat *format);
HfImage *hf_x11_pixels_convert(const HfX11PixelFormat *format, const guint8 *pixels, int width,
                               int height);
