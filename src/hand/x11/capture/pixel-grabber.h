/* SPDX-License-Identifier: Apache-2.0 */
/* The pixels of a window or pixmap: through shared memory that is kept for the next picture, or
 * through the socket where that is not possible. */
#pragma once

#include "hand/x11/capture/pixel-format.h"
#include "shared/image/image.h"

typedef struct HfX11Grabber HfX11Grabber;

/* Borrows the connection, which may be closed after the grabber was freed. Pictures may live
 * longer than both. */
HfX11Grabber *hf_x11_grabber_new(HfX11Connection *connection);
void hf_x11_grabber_free(HfX11Grabber *grabber);
/* Gives back the memory that is only kept for the next picture. */
void hf_x11_grabber_trim(HfX11Grabber *grabber);

/* `area` in the drawable's own coordinates. NULL without an error when the server refuses: the
 * drawable is gone, or the area is not within it. Requests that were made before on the same
 * connection have been answered when this returns. */
HfImage *hf_x11_grabber_grab(HfX11Grabber *grabber, xcb_drawable_t drawable, HfRect area,
                             const HfX11PixelFormat *format, GError **error);
