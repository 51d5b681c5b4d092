/* SPDX-License-Identifier: Apache-2.0 */
/* The "over" operator for premultiplied colours. */
#include "hand/pixels/image/blend.h"

static inline guint32 blend_channel_over(guint32 top, guint32 below, int shift, guint32 rest)
{
    guint32 scaled = ((below >> shift) & 0xff) * rest + 127;
    /* Division by 255 without dividing; exact for this range. */
    guint32 sum = ((top >> shift) & 0xff) + ((scaled + 1 + (scaled >> 8)) >> 8);
    return MIN(sum, 255) << shift;
}

static void blend_row(guint32 *to, const guint32 *from, int count)
{
    for (int i = 0; i < count; i++) {
        guint32 rest = 255 - (from[i] >> 24);
        to[i] = blend_channel_over(from[i], to[i], 0, rest) |
                blend_channel_over(from[i], to[i], 8, rest) |
                blend_channel_over(from[i], to[i], 16, rest) | (to[i] & 0xff000000);
    }
}

void hf_image_blend(HfImage *image, const HfImage *overlay, HfPoint at)
{
    HfRect whole = {0, 0, image->width, image->height};
    HfRect shown = hf_rect_intersect(whole, (HfRect){at.x, at.y, overlay->width, overlay->height});
    for (int y = shown.y; y < shown.y + shown.height; y++)
        blend_row(hf_image_row(image, y) + shown.x,
                  hf_image_row(overlay, y - at.y) + (shown.x - at.x), shown.width);
}
