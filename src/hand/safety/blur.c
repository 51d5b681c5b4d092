/* SPDX-License-Identifier: Apache-2.0 */
/* A blur or a mosaic can be undone for text in a known font; so the blocks that are drawn here
 * depend on their place alone. */
#include "hand/safety/blur.h"

#define BLOCK_PX 8
/* Antialiased edges of letters reach out of their field. */
#define MARGIN_PX 2

static const guint32 shades[] = {0xff767b84, 0xff868b94, 0xff7e838c, 0xff8e939c};

static guint32 shade_at(int x, int y)
{
    unsigned column = (unsigned)x / BLOCK_PX, row = (unsigned)y / BLOCK_PX;
    return shades[(column * 7 + row * 5 + (column ^ row)) % G_N_ELEMENTS(shades)];
}

void hf_blur_rects(HfImage *image, const HfRect *rects, guint count)
{
    HfRect all = {0, 0, image->width, image->height};
    for (guint i = 0; i < count; i++) {
        if (hf_rect_is_empty(rects[i]))
            continue;
        HfRect grown = {rects[i].x - MARGIN_PX, rects[i].y - MARGIN_PX,
                        rects[i].width + 2 * MARGIN_PX, rects[i].height + 2 * MARGIN_PX};
        HfRect area = hf_rect_intersect(grown, all);
        for (int y = area.y; y < area.y + area.height; y++) {
            guint32 *row = hf_image_row(image, y);
            for (int x = area.x; x < area.x + area.width; x++)
                row[x] = shade_at(x - area.x, y - area.y);
        }
    }
}
