/* SPDX-License-Identifier: Apache-2.0 */
/* The colour is rare on screens, and the outline makes it visible on any background. */
#include "hand/pixels/image/mark.h"

#include "hand/pixels/image/draw.h"

#define MARK       0xffff2d78u
#define EDGE       0xffffffffu
#define REACH_PX   22 /* half the size of the cross */
#define GAP_PX     5  /* free around the point */
#define RING_PX    14
#define THICK_PX   3
#define OUTLINE_PX 1

static void fill_with_outline(HfImage *image, HfRect rect, guint32 colour, int outline)
{
    hf_image_fill(image,
                  (HfRect){rect.x - outline, rect.y - outline, rect.width + 2 * outline,
                           rect.height + 2 * outline},
                  colour);
}

static void draw_cross_arms(HfImage *image, HfPoint at, guint32 colour, int outline)
{
    int length = REACH_PX - GAP_PX, half = THICK_PX / 2;
    fill_with_outline(image, (HfRect){at.x - REACH_PX, at.y - half, length, THICK_PX}, colour,
                      outline);
    fill_with_outline(image, (HfRect){at.x + GAP_PX + 1, at.y - half, length, THICK_PX}, colour,
                      outline);
    fill_with_outline(image, (HfRect){at.x - half, at.y - REACH_PX, THICK_PX, length}, colour,
                      outline);
    fill_with_outline(image, (HfRect){at.x - half, at.y + GAP_PX + 1, THICK_PX, length}, colour,
                      outline);
}

static void draw_ring(HfImage *image, HfPoint at, guint32 colour, int outline)
{
    int outer = RING_PX + outline, inner = RING_PX - THICK_PX - outline;
    for (int y = -outer; y <= outer; y++)
        for (int x = -outer; x <= outer; x++) {
            int distance = x * x + y * y;
            if (distance <= outer * outer && distance >= inner * inner)
                hf_image_fill(image, (HfRect){at.x + x, at.y + y, 1, 1}, colour);
        }
}

void hf_image_mark_point(HfImage *image, HfPoint point)
{
    draw_ring(image, point, EDGE, OUTLINE_PX);
    draw_cross_arms(image, point, EDGE, OUTLINE_PX);
    draw_ring(image, point, MARK, 0);
    draw_cross_arms(image, point, MARK, 0);
}

void hf_image_mark_area(HfImage *image, HfRect area)
{
    hf_image_frame(image, area, THICK_PX + OUTLINE_PX, EDGE);
    hf_image_frame(image, area, THICK_PX, MARK);
}
