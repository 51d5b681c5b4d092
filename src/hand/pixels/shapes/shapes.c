/* SPDX-License-Identifier: Apache-2.0 */
/* A flat area is the background of a button or field if its outline is a rectangle or a disc, its
 * border is even, and the same background lies around it. That excludes parts of photographs,
 * stripes of lists, and the space between two rules.
 *
 * The other shapes are drawings: pieces of ink that nearly touch. A word is a drawing too, but
 * mostly wider than an icon. A part of a photograph has an uneven background around it. */
#include "hand/pixels/shapes/shapes.h"

#include <stdlib.h>
#include <string.h>

#include "hand/pixels/pixels-limits.h"
#include "hand/pixels/shapes/flat-areas.h"
#include "hand/pixels/shapes/painted-controls.h"
#include "hand/pixels/shapes/symbol-classifier.h"
#include "hand/pixels/text/text-pieces.h"

/* The background of the smallest button, and of the largest field. */
static const HfSize ground_least = {14, 12}, ground_most = {1400, 500};
/* A smaller shape is handled as a drawing. */
#define SMALL_MOST   22
#define BUTTON_LEAST 18
#define FRAME_LEAST  14
#define FRAME_MOST   80
#define AREA_WIDTH   160
#define BORDER_MOST  4
/* A smaller frame around others is not a panel, but a second border. */
#define PANEL_LEAST 56
/* The distance at which the background around a shape is sampled, beyond its border. */
#define AROUND 6
/* The share of a background that is drawn on, in percent, from which on it is marked. */
#define MARK_PERCENT 5
#define ICON_LEAST   8
#define ICON_MOST    64
#define ICON_THIN    3
/* The gap between two pieces of one icon, like the bars of a menu symbol. */
#define GAP 4
/* A drawing that is larger than an icon and has this share of edges, in percent, is a photograph.
 */
#define PHOTO_PERCENT 18
/* A symbol with this likelihood is not a check box. */
#define SURE_SYMBOL 0.8

static gboolean is_inside_image(const HfImage *image, int x, int y)
{
    return x >= 0 && y >= 0 && x < image->width && y < image->height;
}

static guint32 get_shape_pixel(const HfImage *image, int x, int y)
{
    return hf_image_row(image, y)[x];
}

/* ---- surroundings ---- */

/* The point `out` pixels outside of a side (0 top, 1 bottom, 2 left, 3 right), at so many eighths
 * of its length. */
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

/* Counts the points outside that have this colour. */
static int count_points_alike(const HfImage *image, HfRect box, guint32 colour)
{
    int count = 0;
    for (int side = 0; side < 4; side++)
        for (int eighth = 2; eighth <= 6; eighth += 2) {
            HfPoint at = point_outside(box, side, eighth, AROUND);
            count += is_inside_image(image, at.x, at.y) &&
                     hf_colours_alike(get_shape_pixel(image, at.x, at.y), colour);
        }
    return count;
}

/* The commonest colour outside; FALSE: too few points agree. */
static gboolean find_ground_around(const HfImage *image, HfRect box, guint32 *ret_ground)
{
    int most = 0;
    for (int side = 0; side < 4; side++)
        for (int eighth = 2; eighth <= 6; eighth += 2) {
            HfPoint at = point_outside(box, side, eighth, AROUND);
            if (!is_inside_image(image, at.x, at.y))
                continue;
            int count = count_points_alike(image, box, get_shape_pixel(image, at.x, at.y));
            if (count > most) {
                most = count;
                *ret_ground = get_shape_pixel(image, at.x, at.y);
            }
        }
    return most >= 6;
}

/* The pixels of border on one side, up to the background. */
static int measure_border(const HfImage *image, HfRect inner, guint32 ground, int side)
{
    int least = BORDER_MOST;
    for (int eighth = 3; eighth <= 5; eighth++)
        for (int out = 1; out <= least; out++) {
            HfPoint at = point_outside(inner, side, eighth, out);
            if (is_inside_image(image, at.x, at.y) &&
                !hf_colours_alike(get_shape_pixel(image, at.x, at.y), ground))
                continue;
            least = out - 1;
        }
    return least;
}

static HfRect add_border(const HfImage *image, HfRect inner, guint32 ground)
{
    int sides[4];
    for (int side = 0; side < 4; side++)
        sides[side] = measure_border(image, inner, ground, side);
    return (HfRect){inner.x - sides[2], inner.y - sides[0], inner.width + sides[2] + sides[3],
                    inner.height + sides[0] + sides[1]};
}

/* Whether the pixels right outside are the same along each side: a line, a shadow or the
 * background. */
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

/* ---- frames ---- */

static int percent_of(gint64 part, gint64 whole)
{
    return whole > 0 ? (int)(part * 100 / whole) : 0;
}

static gboolean is_round_area(const HfFlatArea *flat)
{
    int filled = percent_of(flat->outline, (gint64)flat->box.width * flat->box.height);
    return abs(flat->box.width - flat->box.height) <= 2 && filled >= 68 && filled <= 87;
}

/* FALSE: it is not a control. */
static gboolean classify_shape(const HfFlatArea *flat, guint32 own, HfShape *shape)
{
    int width = shape->box.width, height = shape->box.height, edge = MAX(width, height);
    int filled = percent_of(flat->outline, (gint64)flat->box.width * flat->box.height);
    int least = flat->box.width * 2 > flat->box.height * 3 ? 86 : 90; /* of a rectangle */
    gboolean round = is_round_area(flat);
    shape->coloured = !hf_colour_is_grey(own);
    shape->marked = percent_of(flat->outline - flat->area, flat->outline) >= MARK_PERCENT;
    if ((!round && filled < least) || edge <= SMALL_MOST)
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

/* A bar goes from one edge of the picture to the other, and is not a shape on it. */
static gboolean spans_whole_image(const HfImage *image, HfRect box)
{
    return (box.x <= 1 && box.x + box.width >= image->width - 1) ||
           (box.y <= 1 && box.y + box.height >= image->height - 1);
}

static gboolean make_frame_shape(const HfImage *image, const HfFlatArea *flat, HfShape *shape)
{
    guint32 ground = 0;
    if (spans_whole_image(image, flat->box) || !find_ground_around(image, flat->box, &ground) ||
        (!is_round_area(flat) && !has_even_border(image, flat->box)))
        return FALSE;
    *shape = (HfShape){.box = add_border(image, flat->box, ground)};
    return classify_shape(flat, get_shape_pixel(image, flat->inside.x, flat->inside.y), shape);
}

/* A frame around another one that is nearly as large is a panel, a shade or a second border. */
static gboolean holds_other_shape(const GArray *shapes, guint index)
{
    HfRect own = g_array_index(shapes, HfShape, index).box;
    for (guint i = 0; i < shapes->len; i++) {
        HfRect other = g_array_index(shapes, HfShape, i).box;
        gboolean area = g_array_index(shapes, HfShape, index).kind == HF_SHAPE_AREA;
        if (i != index && hf_rect_equal(hf_rect_intersect(own, other), other) &&
            !hf_rect_equal(own, other) &&
            (area ||
             percent_of((gint64)other.width * other.height, (gint64)own.width * own.height) >= 25))
            return TRUE;
    }
    return FALSE;
}

/* A shape with room for rows of others becomes a panel. */
static void replace_outer_shapes(GArray *shapes)
{
    for (guint i = shapes->len; i-- > 0;) {
        HfShape *shape = &g_array_index(shapes, HfShape, i);
        if (!holds_other_shape(shapes, i))
            continue;
        if (MIN(shape->box.height, shape->box.width) >= PANEL_LEAST)
            shape->kind = HF_SHAPE_PANEL;
        else
            g_array_remove_index(shapes, i);
    }
}

/* ---- icons ---- */

typedef struct Drawing {
    HfTextPiece piece;
    guint parent; /* the drawing that it was joined with, or itself */
} Drawing;

/* There are no icons in photographs. */
static GArray *find_photos(const GArray *pieces)
{
    GArray *photos = g_array_new(FALSE, FALSE, sizeof(HfRect));
    for (guint i = 0; i < pieces->len; i++) {
        const HfTextPiece *piece = &g_array_index(pieces, HfTextPiece, i);
        gint64 width = hf_text_piece_width(piece), height = hf_text_piece_height(piece);
        HfRect box = hf_text_piece_box(piece);
        if (width > ICON_MOST && height > ICON_MOST &&
            piece->pixels * G_GINT64_CONSTANT(100) >= width * height * PHOTO_PERCENT)
            g_array_append_val(photos, box);
    }
    return photos;
}

static gboolean is_in_photo(const GArray *photos, HfRect box)
{
    for (guint i = 0; i < photos->len; i++)
        if (hf_box_is_mostly_in(box, g_array_index(photos, HfRect, i)))
            return TRUE;
    return FALSE;
}

/* A symbol on a button belongs to it. A wide frame may hold icons, but its border is not an icon.
 */
static gboolean is_part_of_shape(const HfShape *shape, HfRect box)
{
    const int border = 3;
    HfRect own = shape->box, common = hf_rect_intersect(own, box);
    gboolean wide = shape->kind == HF_SHAPE_FRAME || shape->kind == HF_SHAPE_AREA ||
                    shape->kind == HF_SHAPE_PANEL;
    if (hf_rect_is_empty(common) || !wide)
        return !hf_rect_is_empty(common);
    return common.x < own.x + border || common.y < own.y + border ||
           common.x + common.width > own.x + own.width - border ||
           common.y + common.height > own.y + own.height - border;
}

static gboolean is_part_of_frame(const GArray *shapes, guint frames, HfRect box)
{
    for (guint i = 0; i < frames; i++)
        if (is_part_of_shape(&g_array_index(shapes, HfShape, i), box))
            return TRUE;
    return FALSE;
}

static int compare_drawings_by_left(gconstpointer a, gconstpointer b)
{
    return ((const Drawing *)a)->piece.left - ((const Drawing *)b)->piece.left;
}

static GArray *find_drawings(const GArray *pieces)
{
    GArray *drawings = g_array_new(FALSE, FALSE, sizeof(Drawing));
    for (guint i = 0; i < pieces->len; i++) {
        Drawing drawing = {g_array_index(pieces, HfTextPiece, i), 0};
        if (hf_text_piece_width(&drawing.piece) <= ICON_MOST + 1 &&
            hf_text_piece_height(&drawing.piece) <= ICON_MOST + 1)
            g_array_append_val(drawings, drawing);
    }
    g_array_sort(drawings, compare_drawings_by_left);
    for (guint i = 0; i < drawings->len; i++)
        g_array_index(drawings, Drawing, i).parent = i;
    return drawings;
}

static guint find_drawing_root(GArray *drawings, guint number)
{
    Drawing *all = (Drawing *)(gpointer)drawings->data;
    while (all[number].parent != number)
        number = all[number].parent = all[all[number].parent].parent;
    return number;
}

static void unite_drawings(GArray *drawings, guint one, guint other)
{
    one = find_drawing_root(drawings, one);
    other = find_drawing_root(drawings, other);
    if (one == other)
        return;
    hf_text_piece_unite(&g_array_index(drawings, Drawing, one).piece,
                        &g_array_index(drawings, Drawing, other).piece);
    g_array_index(drawings, Drawing, other).parent = one;
}

/* Compares the original pieces, since joined drawings grow. */
static void join_near_drawings(GArray *drawings)
{
    g_autofree HfTextPiece *pieces = g_new(HfTextPiece, drawings->len + 1);
    for (guint i = 0; i < drawings->len; i++)
        pieces[i] = g_array_index(drawings, Drawing, i).piece;
    for (guint i = 0; i < drawings->len; i++)
        for (guint j = i + 1; j < drawings->len && pieces[j].left - pieces[i].right < GAP; j++)
            if (MAX(pieces[i].top, pieces[j].top) - MIN(pieces[i].bottom, pieces[j].bottom) < GAP)
                unite_drawings(drawings, i, j);
}

/* Whether the background is the same all around, except for a few pixels. */
static gboolean has_flat_surroundings(const HfImage *image, HfRect box, guint32 *ret_ground)
{
    const int out = 3;
    HfRect ring = {box.x - out, box.y - out, box.width + 2 * out, box.height + 2 * out};
    if (ring.x < 0 || ring.y < 0 || ring.x + ring.width > image->width ||
        ring.y + ring.height > image->height)
        return FALSE;
    guint32 first = hf_image_row(image, ring.y)[ring.x];
    int differing = 0, right = ring.x + ring.width - 1, bottom = ring.y + ring.height - 1;
    for (int x = ring.x; x <= right; x++)
        differing += !hf_colours_alike(hf_image_row(image, ring.y)[x], first) +
                     !hf_colours_alike(hf_image_row(image, bottom)[x], first);
    for (int y = ring.y; y <= bottom; y++)
        differing += !hf_colours_alike(hf_image_row(image, y)[ring.x], first) +
                     !hf_colours_alike(hf_image_row(image, y)[right], first);
    *ret_ground = first;
    return differing * 20 <= 2 * (ring.width + ring.height);
}

/* A floppy or two sheets look like a marked check box, and a clock like a radio button. The symbols
 * in `marks` look like one with its mark, so they prove nothing. */
static gboolean is_other_symbol(const HfImage *image, HfRect box)
{
    static const char *const marks[] = {"check",  "maximize", "stop",  "circle",
                                        "record", "cross",    "minus", "prohibited"};
    HfSymbolGuess guess;
    if (hf_symbols_guess(image, box, FALSE, &guess, 1) == 0 || guess.likelihood < SURE_SYMBOL)
        return FALSE;
    for (gsize i = 0; i < G_N_ELEMENTS(marks); i++)
        if (strcmp(guess.name, marks[i]) == 0)
            return FALSE;
    return TRUE;
}

/* FALSE: it is not an icon. */
static gboolean make_icon_shape(const HfImage *image, HfRect box, HfShape *shape)
{
    guint32 ground;
    if (!has_flat_surroundings(image, box, &ground))
        return FALSE;
    *shape = (HfShape){.box = box};
    shape->kind = hf_checkbox_radio_classify(image, box, ground, &shape->marked);
    if (shape->kind != HF_SHAPE_ICON && shape->marked && is_other_symbol(image, box)) {
        shape->kind = HF_SHAPE_ICON;
        shape->marked = FALSE;
    }
    shape->confidence = shape->kind == HF_SHAPE_ICON ? 0.5 : 0.7;
    return TRUE;
}

/* Adds the icons that are not part of other shapes. */
static void add_icons(const HfImage *image, GArray *shapes)
{
    g_autoptr(GArray) pieces = hf_text_pieces_find(image);
    g_autoptr(GArray) photos = find_photos(pieces);
    g_autoptr(GArray) drawings = find_drawings(pieces);
    hf_switch_slider_add(image, pieces, shapes);
    guint frames = shapes->len;
    join_near_drawings(drawings);
    for (guint i = 0; i < drawings->len && shapes->len < HF_LIMIT_SHAPES; i++) {
        const Drawing *drawing = &g_array_index(drawings, Drawing, i);
        HfRect box = hf_text_piece_box(&drawing->piece);
        int edge = MAX(box.width, box.height), thin = MIN(box.width, box.height);
        HfShape shape;
        if (drawing->parent == i && edge >= ICON_LEAST && edge <= ICON_MOST && thin >= ICON_THIN &&
            !is_in_photo(photos, box) && !is_part_of_frame(shapes, frames, box) &&
            make_icon_shape(image, box, &shape))
            g_array_append_val(shapes, shape);
    }
}

/* ---- all shapes ---- */

static int compare_shapes_by_top(gconstpointer a, gconstpointer b)
{
    const HfShape *one = a, *other = b;
    return one->box.y != other->box.y ? one->box.y - other->box.y : one->box.x - other->box.x;
}

static guint64 hash_shape_pixels(const HfImage *image, HfRect box)
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
        if (make_frame_shape(image, &g_array_index(flats, HfFlatArea, i), &shape))
            g_array_append_val(shapes, shape);
    }
    replace_outer_shapes(shapes);
    add_icons(image, shapes);
    g_array_sort(shapes, compare_shapes_by_top);
    for (guint i = 0; i < shapes->len; i++) {
        HfShape *shape = &g_array_index(shapes, HfShape, i);
        shape->looks = hash_shape_pixels(image, shape->box);
    }
    return shapes;
}
