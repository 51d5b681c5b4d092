/* SPDX-License-Identifier: Apache-2.0 */
/* From even parts to frames: one is taken for the ground of a button or field when its outline is a
 * rectangle or a disc, its border is even, and the same ground lies around it. So neither parts of
 * photographs nor stripes of lists are, nor the space between two rules. */
#include "hand/pixels/shapes/shapes.h"

#include <stdlib.h>

#include "hand/pixels/pixels-limits.h"
#include "hand/pixels/shapes/flat-areas.h"
#include "hand/pixels/shapes/icons.h"

/* The ground of the smallest button, and of the largest field. */
static const HfSize ground_least = {14, 12}, ground_most = {1400, 500};
/* What is no larger is looked at as a drawing: see icons.c. */
#define SMALL_MOST   22
#define BUTTON_LEAST 18
#define FRAME_LEAST  14
#define FRAME_MOST   80
#define AREA_WIDTH   160
#define BORDER_MOST  4
/* Lower is no panel around others, but a second border. */
#define PANEL_LEAST 56
/* Where the ground around it is looked at: beyond its border. */
#define AROUND 6

/* What is drawn on a ground, in hundredth of its outline, to count as a mark. */
#define MARK_PERCENT 5

typedef struct Colours {
    const HfImage *image;
    HfRect inner;
    guint32 ground; /* around it */
} Colours;

static gboolean is_inside_image(const HfImage *image, int x, int y)
{
    return x >= 0 && y >= 0 && x < image->width && y < image->height;
}

static guint32 get_shape_pixel(const HfImage *image, int x, int y)
{
    return hf_image_row(image, y)[x];
}

/* ---- what is around ---- */

/* The point `out` pixels outside of a side (0 top, 1 bottom, 2 left, 3 right), at a part of its
 * length of 8. */
static HfPoint point_outside(HfRect box, int side, int eighth, int out)
{
    int x = box.x + box.width * eighth / 8, y = box.y + box.height * eighth / 8;
    switch (side) {
    case 0:
        return (HfPoint){x, box.y - out};
    case 1:
        return (HfPoint){x, box.y + box.height - 1 + out};
    case 2:
        return (HfPoint){box.x - out, y};
    default:
        return (HfPoint){box.x + box.width - 1 + out, y};
    }
}

/* How many of the points outside are like the colour, and how many there are. */
static int count_like(const HfImage *image, HfRect box, int out, guint32 colour)
{
    int count = 0;
    for (int side = 0; side < 4; side++)
        for (int eighth = 2; eighth <= 6; eighth += 2) {
            HfPoint at = point_outside(box, side, eighth, out);
            count += is_inside_image(image, at.x, at.y) &&
                     hf_colours_alike(get_shape_pixel(image, at.x, at.y), colour);
        }
    return count;
}

/* The colour that most points outside have; FALSE when too few agree. */
static gboolean find_ground(const HfImage *image, HfRect box, guint32 *ret_ground)
{
    int most = 0;
    for (int side = 0; side < 4; side++)
        for (int eighth = 2; eighth <= 6; eighth += 2) {
            HfPoint at = point_outside(box, side, eighth, AROUND);
            if (!is_inside_image(image, at.x, at.y))
                continue;
            int count = count_like(image, box, AROUND, get_shape_pixel(image, at.x, at.y));
            if (count > most) {
                most = count;
                *ret_ground = get_shape_pixel(image, at.x, at.y);
            }
        }
    return most >= 6;
}

/* Pixels of border on one side: until the ground begins. */
static int border_at(const Colours *colours, int side)
{
    int least = BORDER_MOST;
    for (int eighth = 3; eighth <= 5; eighth++)
        for (int out = 1; out <= least; out++) {
            HfPoint at = point_outside(colours->inner, side, eighth, out);
            if (is_inside_image(colours->image, at.x, at.y) &&
                !hf_colours_alike(get_shape_pixel(colours->image, at.x, at.y), colours->ground))
                continue;
            least = out - 1;
        }
    return least;
}

static HfRect with_border(const Colours *colours)
{
    HfRect box = colours->inner;
    int top = border_at(colours, 0), bottom = border_at(colours, 1);
    int left = border_at(colours, 2), right = border_at(colours, 3);
    return (HfRect){box.x - left, box.y - top, box.width + left + right, box.height + top + bottom};
}

/* Whether what is right outside is the same along each side: a line, a shade or the ground. */
static gboolean has_even_border(const HfImage *image, HfRect box)
{
    int uneven = 0;
    for (int side = 0; side < 4; side++) {
        HfPoint middle = point_outside(box, side, 4, 1);
        if (!is_inside_image(image, middle.x, middle.y))
            return FALSE;
        for (int eighth = 2; eighth <= 6; eighth++) {
            HfPoint at = point_outside(box, side, eighth, 1);
            uneven += !hf_colours_alike(get_shape_pixel(image, at.x, at.y),
                                        get_shape_pixel(image, middle.x, middle.y));
        }
    }
    return uneven <= 2;
}

/* ---- what it is ---- */

static int percent_of(gint64 part, gint64 whole)
{
    return whole > 0 ? (int)(part * 100 / whole) : 0;
}

static gboolean is_round(const HfFlatArea *flat)
{
    int filled = percent_of(flat->outline, (gint64)flat->box.width * flat->box.height);
    return abs(flat->box.width - flat->box.height) <= 2 && filled >= 68 && filled <= 87;
}

static gboolean is_rectangle(const HfFlatArea *flat)
{
    int filled = percent_of(flat->outline, (gint64)flat->box.width * flat->box.height);
    return filled >= (flat->box.width * 2 > flat->box.height * 3 ? 86 : 90);
}

static gboolean is_grey_fill(guint32 colour)
{
    int red = colour >> 16 & 255, green = colour >> 8 & 255, blue = colour & 255;
    return MAX(red, MAX(green, blue)) - MIN(red, MIN(green, blue)) <= 40;
}

static gboolean is_marked(const HfFlatArea *flat)
{
    return percent_of(flat->outline - flat->area, flat->outline) >= MARK_PERCENT;
}

/* FALSE: nothing to use. */
static gboolean classify_shape(const HfFlatArea *flat, guint32 own, HfShape *shape)
{
    int width = shape->box.width, height = shape->box.height, edge = MAX(width, height);
    gboolean round = is_round(flat);
    shape->coloured = !is_grey_fill(own);
    shape->marked = is_marked(flat);
    if (!round && !is_rectangle(flat))
        return FALSE;
    if (edge <= SMALL_MOST)
        return FALSE;
    if (height > FRAME_MOST) {
        shape->kind = HF_SHAPE_AREA;
        shape->confidence = 0.4;
        return !round && !shape->coloured && width >= AREA_WIDTH;
    }
    if (width <= height * 8 / 5 && height <= width * 8 / 5 && height >= BUTTON_LEAST) {
        shape->kind = shape->coloured && !shape->marked ? HF_SHAPE_ICON : HF_SHAPE_BUTTON;
        shape->confidence = shape->marked ? 0.7 : 0.4;
        return !round || abs(width - height) <= 2;
    }
    shape->kind = HF_SHAPE_FRAME;
    shape->confidence = 0.6;
    return !round && width > height && height >= FRAME_LEAST && width >= 24;
}

/* What goes from one edge of the picture to the other is a bar, not something on it. */
static gboolean spans_whole_image(const HfImage *image, HfRect box)
{
    return (box.x <= 1 && box.x + box.width >= image->width - 1) ||
           (box.y <= 1 && box.y + box.height >= image->height - 1);
}

static gboolean make_shape(const HfImage *image, const HfFlatArea *flat, HfShape *shape)
{
    Colours colours = {image, flat->box, 0};
    if (spans_whole_image(image, flat->box) || !find_ground(image, flat->box, &colours.ground) ||
        (!is_round(flat) && !has_even_border(image, flat->box)))
        return FALSE;
    *shape = (HfShape){.box = with_border(&colours)};
    return classify_shape(flat, get_shape_pixel(image, flat->inside.x, flat->inside.y), shape);
}

/* ---- all of them ---- */

static int compare_shapes_by_top(gconstpointer a, gconstpointer b)
{
    const HfShape *one = a, *other = b;
    return one->box.y != other->box.y ? one->box.y - other->box.y : one->box.x - other->box.x;
}

static gboolean rect_holds(HfRect outer, HfRect inner)
{
    HfRect common = hf_rect_intersect(outer, inner);
    return common.width == inner.width && common.height == inner.height;
}

/* A frame around another one that is nearly as large is a panel, a shade or a second border. */
static gboolean is_outer(const GArray *shapes, guint index)
{
    HfRect own = g_array_index(shapes, HfShape, index).box;
    for (guint i = 0; i < shapes->len; i++) {
        HfRect other = g_array_index(shapes, HfShape, i).box;
        gboolean area = g_array_index(shapes, HfShape, index).kind == HF_SHAPE_AREA;
        if (i != index && rect_holds(own, other) && !hf_rect_equal(own, other) &&
            (area ||
             percent_of((gint64)other.width * other.height, (gint64)own.width * own.height) >= 25))
            return TRUE;
    }
    return FALSE;
}

/* One that is high enough for rows of things holds them together. */
static gboolean may_be_panel(const HfShape *shape)
{
    return shape->box.height >= PANEL_LEAST && shape->box.width >= PANEL_LEAST;
}

static void remove_outer(GArray *shapes)
{
    for (guint i = shapes->len; i-- > 0;) {
        HfShape *shape = &g_array_index(shapes, HfShape, i);
        if (!is_outer(shapes, i))
            continue;
        if (may_be_panel(shape))
            shape->kind = HF_SHAPE_PANEL;
        else
            g_array_remove_index(shapes, i);
    }
}

static guint64 looks_of(const HfImage *image, HfRect box)
{
    guint64 hash = G_GUINT64_CONSTANT(0xcbf29ce484222325);
    box = hf_rect_intersect(box, (HfRect){0, 0, image->width, image->height});
    for (int y = box.y; y < box.y + box.height; y++)
        for (int x = box.x; x < box.x + box.width; x++)
            hash = (hash ^ (get_shape_pixel(image, x, y) & 0xffffff)) *
                   G_GUINT64_CONSTANT(0x100000001b3);
    return hash ^ ((guint64)box.width << 32 | (guint64)box.height);
}

GArray *hf_shapes_find(const HfImage *image)
{
    GArray *shapes = g_array_new(FALSE, FALSE, sizeof(HfShape));
    g_autoptr(GArray) flats =
        hf_flat_areas_find(image, ground_least, ground_most, HF_LIMIT_FRAMES * 10);
    for (guint i = 0; i < flats->len && shapes->len < HF_LIMIT_FRAMES; i++) {
        HfShape shape;
        if (make_shape(image, &g_array_index(flats, HfFlatArea, i), &shape))
            g_array_append_val(shapes, shape);
    }
    remove_outer(shapes);
    hf_icons_add(image, shapes);
    g_array_sort(shapes, compare_shapes_by_top);
    for (guint i = 0; i < shapes->len; i++) {
        HfShape *shape = &g_array_index(shapes, HfShape, i);
        shape->looks = looks_of(image, shape->box);
    }
    return shapes;
}
