/* SPDX-License-Identifier: Apache-2.0 */
/* Conversion by the masks of the visual: 15, 16, 24 and 30 bits of colour, any order. It is for
 * unusual screens: plain and right before fast. */
#include "hand/x11/capture/pixel-format.h"

#include <stdlib.h>

#include "shared/base/error.h"

static const xcb_visualtype_t *find_visual(HfX11Connection *connection, xcb_visualid_t id,
                                           int *ret_depth)
{
    xcb_depth_iterator_t depths = xcb_screen_allowed_depths_iterator(connection->screen);
    for (; depths.rem; xcb_depth_next(&depths)) {
        xcb_visualtype_iterator_t visuals = xcb_depth_visuals_iterator(depths.data);
        for (; visuals.rem; xcb_visualtype_next(&visuals))
            if (visuals.data->visual_id == id) {
                *ret_depth = depths.data->depth;
                return visuals.data;
            }
    }
    return NULL;
}

static xcb_visualid_t visual_of(HfX11Connection *connection, xcb_window_t window)
{
    if (!window)
        return connection->screen->root_visual;
    xcb_get_window_attributes_reply_t *reply = xcb_get_window_attributes_reply(
        connection->xcb, xcb_get_window_attributes(connection->xcb, window), NULL);
    xcb_visualid_t visual = reply ? reply->visual : 0;
    free(reply);
    return visual;
}

static const xcb_format_t *find_format(HfX11Connection *connection, int depth)
{
    xcb_format_iterator_t formats =
        xcb_setup_pixmap_formats_iterator(xcb_get_setup(connection->xcb));
    for (; formats.rem; xcb_format_next(&formats))
        if (formats.data->depth == depth)
            return formats.data;
    return NULL;
}

gboolean hf_x11_pixel_format_find(HfX11Connection *connection, xcb_window_t window,
                                  HfX11PixelFormat *ret_format, GError **error)
{
    int depth = 0;
    const xcb_visualtype_t *type = find_visual(connection, visual_of(connection, window), &depth);
    const xcb_format_t *format = find_format(connection, depth);
    gboolean direct = type && (type->_class == XCB_VISUAL_CLASS_TRUE_COLOR ||
                               type->_class == XCB_VISUAL_CLASS_DIRECT_COLOR);
    if (!direct || !format || format->bits_per_pixel < 16 || format->bits_per_pixel % 8)
        return hf_fail(error, HF_ERROR_UNSUPPORTED,
                       "pictures of a screen with a depth of %d bits are not supported", depth);
    *ret_format = (HfX11PixelFormat){
        .bits = format->bits_per_pixel,
        .pad = format->scanline_pad,
        .big = xcb_get_setup(connection->xcb)->image_byte_order == XCB_IMAGE_ORDER_MSB_FIRST,
        .masks = {type->red_mask, type->green_mask, type->blue_mask},
    };
    return TRUE;
}

gsize hf_x11_pixel_format_stride(const HfX11PixelFormat *format, int width)
{
    gsize pad = (gsize)MAX(format->pad, 8), bits = (gsize)width * (gsize)format->bits;
    return (bits + pad - 1) / pad * pad / 8;
}

gboolean hf_x11_pixel_format_is_native(const HfX11PixelFormat *format)
{
    return format->bits == 32 && !format->big && format->masks[0] == 0xff0000 &&
           format->masks[1] == 0xff00 && format->masks[2] == 0xff;
}

static guint32 read_pixel(const HfX11PixelFormat *format, const guint8 *at)
{
    int bytes = format->bits / 8;
    guint32 pixel = 0;
    for (int i = 0; i < bytes; i++)
        pixel |= (guint32)at[i] << 8 * (format->big ? bytes - 1 - i : i);
    return pixel;
}

/* One colour of a pixel, from 0 to 255. */
static guint32 read_colour(guint32 pixel, guint32 mask)
{
    if (!mask)
        return 0;
    int shift = __builtin_ctz(mask);
    guint64 most = mask >> shift;
    return (guint32)((((pixel & mask) >> shift) * G_GUINT64_CONSTANT(255) + most / 2) / most);
}

HfImage *hf_x11_pixels_convert(const HfX11PixelFormat *format, const guint8 *pixels, int width,
                               int height)
{
    HfImage *image = hf_image_new(width, height);
    gsize stride = hf_x11_pixel_format_stride(format, width);
    for (int y = 0; y < height; y++) {
        guint32 *to = hf_image_row(image, y);
        const guint8 *from = pixels + stride * (gsize)y;
        for (int x = 0; x < width; x++, from += format->bits / 8) {
            guint32 pixel = read_pixel(format, from);
            to[x] = read_colour(pixel, format->masks[0]) << 16 |
                    read_colour(pixel, format->masks[1]) << 8 |
                    read_colour(pixel, format->masks[2]);
        }
    }
    return image;
}
