/* SPDX-License-Identifier: Apache-2.0 */
/* A box has a border of one colour all along its four sides; a circle begins equally far from its
 * middle in all directions, and leaves its corners free. What is inside is even, or it is marked. A
 * plain patch of colour is neither: a dot, a sample, a sign. */
#include "hand/pixels/shapes/checkbox-radio.h"

#include <math.h>
#include <stdlib.h>

#include "hand/pixels/shapes/flat-areas.h"

#define EDGE_LEAST 10
#define EDGE_MOST  24
#define DIRECTIONS 16
/* A circle's edge may be so far from where it should be, in pixels. */
#define ROUND_SLACK 2.1

static guint32 get_tick_pixel(const HfImage *image, int x, int y)
{
    return hf_image_row(image, CLAMP(y, 0, image->height - 1))[CLAMP(x, 0, image->width - 1)];
}

/* Borders are lines of a pixel that lie between pixels: their colours vary. */
static gboolean differs_from_ground(guint32 a, guint32 b)
{
    return !hf_colours_alike(a, b);
}

static gboolean is_grey_mark(guint32 colour)
{
    int red = colour >> 16 & 255, green = colour >> 8 & 255, blue = colour & 255;
    return MAX(red, MAX(green, blue)) - MIN(red, MIN(green, blue)) <= 40;
}

/* How many pixels along the four sides, `in` pixels inside and without the corners, are like the
 * one in the middle of the upper side; in hundredth. */
static int count_border(const HfImage *image, HfRect box, int in)
{
    int corner = 4, like = 0, all = 0;
    int right = box.x + box.width - 1 - in, bottom = box.y + box.height - 1 - in;
    guint32 first = get_tick_pixel(image, box.x + box.width / 2, box.y + in);
    for (int x = box.x + corner; x < box.x + box.width - corner; x++, all += 2)
        like += hf_colours_alike(get_tick_pixel(image, x, box.y + in), first) +
                hf_colours_alike(get_tick_pixel(image, x, bottom), first);
    for (int y = box.y + corner; y < box.y + box.height - corner; y++, all += 2)
        like += hf_colours_alike(get_tick_pixel(image, box.x + in, y), first) +
                hf_colours_alike(get_tick_pixel(image, right, y), first);
    return all ? like * 100 / all : 0;
}

static gboolean is_square(const HfImage *image, HfRect box, guint32 ground)
{
    for (int in = 0; in <= 1; in++)
        if (count_border(image, box, in) >= 90 &&
            differs_from_ground(get_tick_pixel(image, box.x + box.width / 2, box.y + in), ground))
            return TRUE;
    return FALSE;
}

static double angle_of(int direction)
{
    return direction * 2 * G_PI / DIRECTIONS;
}

/* Whether something is drawn between the four pixels around a place: a thin ring has no gaps then.
 */
static gboolean is_drawn_around(const HfImage *image, double x, double y, guint32 ground)
{
    int left = (int)floor(x), top = (int)floor(y);
    return differs_from_ground(get_tick_pixel(image, left, top), ground) ||
           differs_from_ground(get_tick_pixel(image, left + 1, top), ground) ||
           differs_from_ground(get_tick_pixel(image, left, top + 1), ground) ||
           differs_from_ground(get_tick_pixel(image, left + 1, top + 1), ground);
}

/* From outside to the middle: where the ground ends. */
static double edge_at(const HfImage *image, HfRect box, guint32 ground, int direction)
{
    double x = box.x + (box.width - 1) / 2.0, y = box.y + (box.height - 1) / 2.0;
    double radius = MAX(box.width, box.height) / 2.0 + 1;
    while (radius > 0 && !is_drawn_around(image, x + radius * cos(angle_of(direction)),
                                          y + radius * sin(angle_of(direction)), ground))
        radius -= 0.5;
    return radius;
}

static gboolean has_free_tick_corners(const HfImage *image, HfRect box, guint32 ground)
{
    int right = box.x + box.width - 1, bottom = box.y + box.height - 1;
    return !differs_from_ground(get_tick_pixel(image, box.x, box.y), ground) &&
           !differs_from_ground(get_tick_pixel(image, right, box.y), ground) &&
           !differs_from_ground(get_tick_pixel(image, box.x, bottom), ground) &&
           !differs_from_ground(get_tick_pixel(image, right, bottom), ground);
}

static gboolean is_circle(const HfImage *image, HfRect box, guint32 ground)
{
    if (!has_free_tick_corners(image, box, ground))
        return FALSE;
    double nearest = G_MAXDOUBLE, farthest = 0;
    for (int i = 0; i < DIRECTIONS; i++) {
        double edge = edge_at(image, box, ground, i);
        nearest = MIN(nearest, edge);
        farthest = MAX(farthest, edge);
    }
    return farthest - nearest <= ROUND_SLACK;
}

/* Whether all inside of the border has one colour, which is given. */
static gboolean is_evenly_filled(const HfImage *image, HfRect box, gboolean round,
                                 guint32 *ret_colour)
{
    int strange = 0, all = 0, border = 3;
    double middle_x = box.x + (box.width - 1) / 2.0, middle_y = box.y + (box.height - 1) / 2.0;
    double radius = MIN(box.width, box.height) / 2.0 - border;
    guint32 first = get_tick_pixel(image, box.x + box.width / 2, box.y + border);
    *ret_colour = first;
    for (int y = box.y + border; y < box.y + box.height - border; y++)
        for (int x = box.x + border; x < box.x + box.width - border; x++) {
            if (round && hypot(x - middle_x, y - middle_y) > radius)
                continue;
            all++;
            strange += differs_from_ground(get_tick_pixel(image, x, y), first);
        }
    return strange * 20 <= all;
}

static int colour_brightness(guint32 colour)
{
    return (int)((colour >> 16 & 255) + (colour >> 8 & 255) + (colour & 255)) / 3;
}

/* A line around it is brighter or darker than both what is inside and what is outside; the smooth
 * edge of a plain patch lies between them. */
static gboolean has_line(const HfImage *image, HfRect box, guint32 ground, guint32 inside)
{
    int least = MIN(colour_brightness(ground), colour_brightness(inside));
    int most = MAX(colour_brightness(ground), colour_brightness(inside));
    for (int in = 0; in <= 1; in++) {
        int line = colour_brightness(get_tick_pixel(image, box.x + box.width / 2, box.y + in));
        if (line < least - 10 || line > most + 10)
            return TRUE;
    }
    return FALSE;
}

HfShapeKind hf_checkbox_radio_classify(const HfImage *image, HfRect box, guint32 ground,
                                       gboolean *ret_marked)
{
    int edge = MAX(box.width, box.height);
    *ret_marked = FALSE;
    if (edge < EDGE_LEAST || edge > EDGE_MOST || abs(box.width - box.height) > 2)
        return HF_SHAPE_ICON;
    gboolean square = is_square(image, box, ground);
    gboolean round = !square && is_circle(image, box, ground);
    guint32 inside;
    if (!square && !round)
        return HF_SHAPE_ICON;
    gboolean even = is_evenly_filled(image, box, round, &inside);
    if (even && (!is_grey_mark(inside) || !has_line(image, box, ground, inside)))
        return HF_SHAPE_ICON;
    *ret_marked = !even;
    return square ? HF_SHAPE_BOX : HF_SHAPE_CIRCLE;
}
