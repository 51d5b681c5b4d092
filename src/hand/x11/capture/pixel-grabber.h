/* SPDX-License-Identifier: Apache-2.0 */
/* The pixels of a window or pixmap: through shared memory that is kept for the next picture, or
 * through the socket where the server cannot share memory. */
#pragma once

#include "hand/x11/core/connection.h"
#include "shared/image/image.h"

/* How the server lays out the pixels of a drawable. */
typedef struct HfX11PixelFormat {
    int bits;         /* of one pixel in memory: 16, 24, 32 */
    int pad;          /* rows are a multiple of this many bits */
    gboolean big;     /* most significant byte first */
    guint32 masks[3]; /* red, green, blue */
} HfX11PixelFormat;

/* Of a window; 0: of the root, without a request. UNSUPPORTED for screens with a palette, and when
 * the window is gone. */
gboolean hf_x11_pixel_format_find(HfX11Connection *connection, xcb_window_t window,
                                  HfX11PixelFormat *ret_format, GError **error);
gsize hf_x11_pixel_format_stride(const HfX11PixelFormat *format, int width);
/* TRUE when the pixels are in the format of HfImage already. */
gboolean hf_x11_pixel_format_is_native(const HfX11PixelFormat *format);
HfImage *hf_x11_pixels_convert(const HfX11PixelFormat *format, const guint8 *pixels, int width,
                               int height);

typedef struct HfX11Grabber HfX11Grabber;

/* Borrows the connection, which must outlive the grabber. Images may outlive both. */
HfX11Grabber *hf_x11_grabber_new(HfX11Connection *connection);
void hf_x11_grabber_free(HfX11Grabber *grabber);
/* Frees the memory that is only kept for the next picture. */
void hf_x11_grabber_trim(HfX11Grabber *grabber);

/* `area` in the drawable's own coordinates. NULL without an error when the server refuses: the
 * drawable is gone, or the area is not within it. All earlier requests on the same connection have
 * been answered when this returns. */
HfImage *hf_x11_grabber_grab(HfX11Grabber *grabber, xcb_drawable_t drawable, HfRect area,
                             const HfX11PixelFormat *format, GError **error);
