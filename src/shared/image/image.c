/* SPDX-License-Identifier: Apache-2.0 */
/* The picture buffer: its own memory, or a view of other memory. */
#include "shared/image/image.h"

#define TAIL_PADDING 64

HfImage *hf_image_new(int width, int height)
{
    gsize stride = (gsize)width * 4;
    guint8 *pixels = g_malloc(stride * (gsize)height + TAIL_PADDING);
    return hf_image_new_view(width, height, (int)stride, pixels, g_free, pixels);
}

HfImage *hf_image_new_view(int width, int height, int stride, guint8 *pixels,
                           GDestroyNotify release, gpointer owner)
{
    HfImage *image = g_new(HfImage, 1);
    *image = (HfImage){width, height, stride, pixels, release, owner};
    return image;
}

void hf_image_free(HfImage *image)
{
    if (!image)
        return;
    if (image->release)
        image->release(image->owner);
    g_free(image);
}
