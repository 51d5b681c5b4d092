/* SPDX-License-Identifier: Apache-2.0 */
/* Which format it is, and how large it may be. */
#include "hand/pixels/image/decode.h"

#include <string.h>

#include "hand/pixels/pixels-limits.h"
#include "shared/base/error.h"
#include "shared/base/limits.h"

gboolean hf_image_check_size(gint64 width, gint64 height, GError **error)
{
    if (width < 1 || height < 1)
        return hf_fail(error, HF_ERROR_INVALID_PARAMS,
                       "image: %" G_GINT64_FORMAT "x%" G_GINT64_FORMAT " pixels: it is empty",
                       width, height);
    if (width <= HF_LIMIT_SCREEN_EDGE && height <= HF_LIMIT_SCREEN_EDGE &&
        width * height <= HF_LIMIT_IMAGE_PIXELS)
        return TRUE;
    return hf_fail(error, HF_ERROR_LIMIT_EXCEEDED,
                   "image: %" G_GINT64_FORMAT "x%" G_GINT64_FORMAT
                   " pixels are too many; at most %u in all, and %d along an edge",
                   width, height, HF_LIMIT_IMAGE_PIXELS, HF_LIMIT_SCREEN_EDGE);
}

static gboolean is_png(const guint8 *bytes, gsize size)
{
    static const guint8 png[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    return size >= sizeof png && memcmp(bytes, png, sizeof png) == 0;
}

HfImage *hf_image_decode(const guint8 *bytes, gsize size, GError **error)
{
    static const guint8 jpeg[] = {0xff, 0xd8};
    if (is_png(bytes, size))
        return hf_png_decode(bytes, size, FALSE, error);
    if (size >= sizeof jpeg && memcmp(bytes, jpeg, sizeof jpeg) == 0)
        return hf_jpeg_decode(bytes, size, error);
    hf_fail(error, HF_ERROR_INVALID_PARAMS,
            "image: these %" G_GSIZE_FORMAT " bytes are neither a PNG nor a JPEG picture", size);
    return NULL;
}

HfImage *hf_image_decode_alpha(const guint8 *bytes, gsize size, GError **error)
{
    if (is_png(bytes, size))
        return hf_png_decode(bytes, size, TRUE, error);
    HfImage *image = hf_image_decode(bytes, size, error);
    for (int y = 0; image && y < image->height; y++)
        for (int x = 0; x < image->width; x++)
            hf_image_row(image, y)[x] |= 0xff000000;
    return image;
}
