/* SPDX-License-Identifier: Apache-2.0 */
/* Pieces of ink that nearly touch are one drawing. Words are drawings, too, but mostly wider than
 * icons; parts of photographs are told by the uneven ground around them. */
#include "hand/pixels/shapes/icons.h"

#include <stdlib.h>
#include <string.h>

#include "hand/pixels/pixels-limits.h"
#include "hand/pixels/shapes/checkbox-radio.h"
#include "hand/pixels/shapes/flat-areas.h"
#include "hand/pixels/shapes/switch-slider.h"
#include "hand/pixels/shapes/symbol-classifier.h"
#include "hand/pixels/text/text-pieces.h"

#define ICON_LEAST 8
#define ICON_MOST  64
#define ICON_THIN  3
/* Between two pieces of one icon: the bars of a menu's sign. */
#define GAP 4
/* What is larger than an icon and this full of edges, in hundredth, is a photograph. */
#define PHOTO_PERCENT 18
/* A symbol that is as likely as this is no box to tick. */
#define SURE_SYMBOL 0.8

typedef struct Drawing {
    HfTextPiece piece;
    guint chief;
} Drawing;

static HfRect rect_of(const HfTextPiece *piece)
{
    /* The mask lies one pixel beyond the ink, to the right and below. */
    return (HfRect){piece->left, piece->top, MAX(1, hf_text_piece_width(piece) - 1),
                    MAX(1, hf_text_piece_height(piece) - 1)};
}

static gboolean icon_lies_mostly_in(HfRect inner, HfRect outer)
{
    HfRect common = hf_rect_intersect(inner, outer);
    return (gint64)common.width * common.height * 2 > (gint64)inner.width * inner.height;
}

static gboolean is_photo(const HfTextPiece *piece)
{
    gint64 width = hf_text_piece_width(piece), height = hf_text_piece_height(piece);
    return width > ICON_MOST && height > ICON_MOST &&
           piece->pixels * G_GINT64_CONSTANT(100) >= width * height * PHOTO_PERCENT;
}

/* Where no icons are: in photographs. */
static GArray *find_photos(const GArray *pieces)
{
    GArray *photos = g_array_new(FALSE, FALSE, sizeof(HfRect));
    for (guint i = 0; i < pieces->len; i++) {
        const HfTextPiece *piece = &g_array_index(pieces, HfTextPiece, i);
        HfRect box = rect_of(piece);
        if (is_photo(piece))
            g_array_append_val(photos, box);
    }
    return photos;
}

static gboolean is_in_photo(const GArray *photos, HfRect box)
{
    for (guint i = 0; i < photos->len; i++)
        if (icon_lies_mostly_in(box, g_array_index(photos, HfRect, i)))
            return TRUE;
    return FALSE;
}

/* A symbol on a button is part of it. In a wide frame there may be any number of things, but its
 * border is none of them. */
static gboolean is_part_of(const HfShape *shape, HfRect box)
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
        if (is_part_of(&g_array_index(shapes, HfShape, i), box))
            return TRUE;
    return FALSE;
}

/* ---- pieces that belong together ---- */

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
        g_array_index(drawings, Drawing, i).chief = i;
    return drawings;
}

static guint find_drawing_root(GArray *drawings, guint number)
{
    Drawing *all = (Drawing *)(gpointer)drawings->data;
    while (all[number].chief != number)
        number = all[number].chief = all[all[number].chief].chief;
    return number;
}

static gboolean near_in_column(const HfTextPiece *a, const HfTextPiece *b)
{
    return MAX(a->top, b->top) - MIN(a->bottom, b->bottom) < GAP;
}

static void unite_drawings(GArray *drawings, guint one, guint other)
{
    one = find_drawing_root(drawings, one);
    other = find_drawing_root(drawings, other);
    if (one == other)
        return;
    HfTextPiece *into = &g_array_index(drawings, Drawing, one).piece;
    const HfTextPiece *from = &g_array_index(drawings, Drawing, other).piece;
    into->left = MIN(into->left, from->left);
    into->top = MIN(into->top, from->top);
    into->right = MAX(into->right, from->right);
    into->bottom = MAX(into->bottom, from->bottom);
    into->pixels += from->pixels;
    g_array_index(drawings, Drawing, other).chief = one;
}

/* By the places of the pieces themselves, which are kept apart: what has grown together changes. */
static void join_near(GArray *drawings)
{
    g_autofree HfTextPiece *pieces = g_new(HfTextPiece, drawings->len + 1);
    for (guint i = 0; i < drawings->len; i++)
        pieces[i] = g_array_index(drawings, Drawing, i).piece;
    for (guint i = 0; i < drawings->len; i++)
        for (guint j = i + 1; j < drawings->len && pieces[j].left - pieces[i].right < GAP; j++)
            if (near_in_column(&pieces[i], &pieces[j]))
                unite_drawings(drawings, i, j);
}

/* ---- which of them are icons ---- */

static gboolean has_size(HfRect box)
{
    int edge = MAX(box.width, box.height), thin = MIN(box.width, box.height);
    return edge >= ICON_LEAST && edge <= ICON_MOST && thin >= ICON_THIN;
}

/* The ground is the same all around, but for a few pixels. */
static gboolean stands_alone(const HfImage *image, HfRect box, guint32 *ret_ground)
{
    const int out = 3;
    HfRect ring = {box.x - out, box.y - out, box.width + 2 * out, box.height + 2 * out};
    if (ring.x < 0 || ring.y < 0 || ring.x + ring.width > image->width ||
        ring.y + ring.height > image->height)
        return FALSE;
    guint32 first = hf_image_row(image, ring.y)[ring.x];
    int strange = 0, right = ring.x + ring.width - 1, bottom = ring.y + ring.height - 1;
    for (int x = ring.x; x <= right; x++)
        strange += !hf_colours_alike(hf_image_row(image, ring.y)[x], first) +
                   !hf_colours_alike(hf_image_row(image, bottom)[x], first);
    for (int y = ring.y; y <= bottom; y++)
        strange += !hf_colours_alike(hf_image_row(image, y)[ring.x], first) +
                   !hf_colours_alike(hf_image_row(image, y)[right], first);
    *ret_ground = first;
    return strange * 20 <= 2 * (ring.width + ring.height);
}

/* A floppy or two sheets have the shape of a box with something in it, and a clock that of a
 * circle. Symbols that look like a box with its mark say nothing against one. */
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

/* FALSE: it is none. */
static gboolean make_icon(const HfImage *image, HfRect box, HfShape *shape)
{
    guint32 ground;
    if (!stands_alone(image, box, &ground))
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

void hf_icons_add(const HfImage *image, GArray *shapes)
{
    g_auto(HfTextMask) mask = {0};
    hf_text_mask_init(&mask, image);
    g_autoptr(GArray) pieces = hf_text_pieces_find(&mask, HF_LIMIT_TEXT_PIECES);
    g_autoptr(GArray) photos = find_photos(pieces);
    g_autoptr(GArray) drawings = find_drawings(pieces);
    hf_switch_slider_add(image, pieces, shapes);
    guint frames = shapes->len;
    join_near(drawings);
    for (guint i = 0; i < drawings->len && shapes->len < HF_LIMIT_SHAPES; i++) {
        const Drawing *drawing = &g_array_index(drawings, Drawing, i);
        HfRect box = rect_of(&drawing->piece);
        HfShape shape;
        if (drawing->chief == i && has_size(box) && !is_in_photo(photos, box) &&
            !is_part_of_frame(shapes, frames, box) && make_icon(image, box, &shape))
            g_array_append_val(shapes, shape);
    }
}
