/* SPDX-License-Identifier: Apache-2.0 */
/* Pixels are B G R X, so a colour is 0xXXRRGGBB. */
#include "hand/pixels/image/draw.h"

void hf_image_fill(HfImage *image, HfRect rect, guint32 colour)
{
    HfRect area = hf_rect_intersect(rect, (HfRect){0, 0, image->width, image->height});
    for (int y = area.y; y < area.y + area.height; y++)
        for (int x = area.x; x < area.x + area.width; x++)
            hf_image_row(image, y)[x] = colour;
}

void hf_image_frame(HfImage *image, HfRect rect, int thick, guint32 colour)
{
    hf_image_fill(image, (HfRect){rect.x, rect.y, rect.width, thick}, colour);
    hf_image_fill(image, (HfRect){rect.x, rect.y + rect.height - thick, rect.width, thick}, colour);
    hf_image_fill(image, (HfRect){rect.x, rect.y, thick, rect.height}, colour);
    hf_image_fill(image, (HfRect){rect.x + rect.width - thick, rect.y, thick, rect.height}, colour);
}
