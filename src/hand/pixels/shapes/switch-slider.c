/* SPDX-License-Identifier: Apache-2.0 */
/* A switch is a bar with an even, round knob at one of its ends; a slider is an even knob on a thin
 * line that ends freely on both sides. Letters have no even knobs, and lines of tables end at other
 * lines. */
#include "hand/pixels/shapes/switch-slider.h"

#include <math.h>
#include <stdlib.h>

#include "hand/pixels/pixels-limits.h"
#include "hand/pixels/shapes/flat-areas.h"
#include "hand/pixels/text/text-pieces.h"

#define SWITCH_LEAST 12
#define SWITCH_MOST  44
#define KNOB_LEAST   6
#define KNOB_MOST    36
#define TRACK_LEAST  48
#define TRACK_MOST   1000
/* The line that a knob is on is no thicker, in pixels and in hundredth of the knob. */
#define TRACK_THICK   12
#define TRACK_PERCENT 70
#define DIRECTIONS    16

/* A picture whose columns may stand for rows: sliders are upright, too. */
typedef struct View {
    const HfImage *image;
    gboolean upright;
    guint32 ground;
} View;

static guint32 get_control_pixel(const HfImage *image, int x, int y)
{
    return hf_image_row(image, CLAMP(y, 0, image->height - 1))[CLAMP(x, 0, image->width - 1)];
}

static guint32 get_track_pixel(const View *view, int along, int across)
{
    return view->upright ? get_control_pixel(view->image, across, along)
                         : get_control_pixel(view->image, along, across);
}

static int track_view_length(const View *view)
{
    return view->upright ? view->image->height : view->image->width;
}

static gboolean is_track_ground(const View *view, int along, int across)
{
    return hf_colours_alike(get_track_pixel(view, along, across), view->ground);
}

static gboolean is_even_around(const HfImage *image, int x, int y, int radius)
{
    guint32 middle = get_control_pixel(image, x, y);
    for (int down = -radius; down <= radius; down++)
        for (int across = -radius; across <= radius; across++)
            if (hypot(across, down) <= radius &&
                !hf_colours_alike(get_control_pixel(image, x + across, y + down), middle))
                return FALSE;
    return TRUE;
}

/* ---- switches ---- */

static gboolean has_ground_corners(const HfImage *image, HfRect box, guint32 ground)
{
    int right = box.x + box.width - 1, bottom = box.y + box.height - 1;
    return hf_colours_alike(get_control_pixel(image, box.x, box.y), ground) &&
           hf_colours_alike(get_control_pixel(image, right, box.y), ground) &&
           hf_colours_alike(get_control_pixel(image, box.x, bottom), ground) &&
           hf_colours_alike(get_control_pixel(image, right, bottom), ground);
}

/* From the middle of a knob to its edge. */
static double knob_radius(const HfImage *image, int x, int y, int direction, double most)
{
    guint32 middle = get_control_pixel(image, x, y);
    double angle = direction * 2 * G_PI / DIRECTIONS, far = 0;
    while (far <= most &&
           hf_colours_alike(get_control_pixel(image, (int)lround(x + far * cos(angle)),
                                              (int)lround(y + far * sin(angle))),
                            middle))
        far += 0.5;
    return far;
}

static gboolean is_disc(const HfImage *image, int x, int y, int height)
{
    double nearest = height, farthest = 0;
    for (int i = 0; i < DIRECTIONS; i++) {
        double far = knob_radius(image, x, y, i, height);
        nearest = MIN(nearest, far);
        farthest = MAX(farthest, far);
    }
    return nearest >= height * 0.2 && farthest <= height * 0.62 && farthest - nearest <= 2.6;
}

/* From the first to the last pixel that is not ground: a knob may have the colour of the ground. */
static int height_at(const HfImage *image, HfRect box, int x, guint32 ground)
{
    int first = box.y, last = box.y + box.height - 1;
    while (first < last && hf_colours_alike(get_control_pixel(image, x, first), ground))
        first++;
    while (last > first && hf_colours_alike(get_control_pixel(image, x, last), ground))
        last--;
    return last - first + 1;
}

/* The knob is higher than its bar; or what is between the ends has the colour of the end that the
 * knob is not at. FALSE: it is at neither. */
static gboolean choose_end(const HfImage *image, HfRect box, int left, int right, gboolean *ret_on)
{
    int y = box.y + box.height / 2;
    guint32 ground = get_control_pixel(image, box.x - 2, box.y - 2);
    int higher = height_at(image, box, right, ground) - height_at(image, box, left, ground);
    guint32 middle = get_control_pixel(image, (left + right) / 2, y);
    gboolean left_is_track = hf_colours_alike(get_control_pixel(image, left, y), middle);
    gboolean right_is_track = hf_colours_alike(get_control_pixel(image, right, y), middle);
    *ret_on = abs(higher) >= 3 ? higher > 0 : left_is_track;
    return abs(higher) >= 3 || left_is_track != right_is_track;
}

static gboolean find_knob(const HfImage *image, HfRect box, gboolean *ret_on)
{
    int y = box.y + box.height / 2, in = box.height / 2, near = MAX(1, box.height / 6);
    int left = box.x + in, right = box.x + box.width - 1 - in;
    return !hf_colours_alike(get_control_pixel(image, left, y),
                             get_control_pixel(image, right, y)) &&
           choose_end(image, box, left, right, ret_on) && is_even_around(image, left, y, near) &&
           is_even_around(image, right, y, near) &&
           is_disc(image, *ret_on ? right : left, y, box.height);
}

static gboolean is_switch(const HfImage *image, HfRect box, gboolean *ret_on)
{
    guint32 ground = get_control_pixel(image, box.x - 2, box.y - 2);
    int y = box.y + box.height / 2;
    return box.height >= SWITCH_LEAST && box.height <= SWITCH_MOST &&
           box.width * 10 >= box.height * 14 && box.width * 10 <= box.height * 28 &&
           has_ground_corners(image, box, ground) &&
           !hf_colours_alike(get_control_pixel(image, box.x + 1, y), ground) &&
           !hf_colours_alike(get_control_pixel(image, box.x + box.width - 2, y), ground) &&
           hf_colours_alike(get_control_pixel(image, box.x - 2, y), ground) &&
           hf_colours_alike(get_control_pixel(image, box.x + box.width + 1, y), ground) &&
           find_knob(image, box, ret_on);
}

/* ---- sliders ---- */

typedef struct Band {
    int first, last; /* across */
} Band;

/* What is not ground beside a knob: a thin line in its middle, or nothing. */
static gboolean find_band(const View *view, int along, int from, int to, Band *band)
{
    int thick = 0;
    band->first = -1;
    for (int across = from; across <= to; across++) {
        if (is_track_ground(view, along, across))
            continue;
        band->first = band->first < 0 ? across : band->first;
        band->last = across;
        thick++;
    }
    int middle = (from + to) / 2;
    return thick > 0 && thick == band->last - band->first + 1 && thick <= TRACK_THICK &&
           thick * 100 <= (to - from + 1) * TRACK_PERCENT &&
           abs((band->first + band->last) / 2 - middle) <= 2;
}

static gboolean is_clear_beside_track(const View *view, int along, Band band, int from, int to)
{
    return is_track_ground(view, along, MAX(from, band.first - 3)) &&
           is_track_ground(view, along, MIN(to, band.last + 3));
}

/* Goes along the line as far as it goes; FALSE: it does not end freely. */
static gboolean follow_track(const View *view, int along, int step, Band band, int from, int to,
                             int *ret_end)
{
    int middle = (band.first + band.last) / 2, begin = along;
    while (along > 0 && along < track_view_length(view) - 1 && abs(along - begin) <= TRACK_MOST &&
           !is_track_ground(view, along, middle) &&
           is_clear_beside_track(view, along, band, from, to))
        along += step;
    *ret_end = along - step;
    for (int out = 1; out <= 3; out++)
        for (int across = from; across <= to; across++)
            if (!is_track_ground(view, along + out * step, across))
                return FALSE;
    return TRUE;
}

/* One end of the line: where the knob is, when it is at the very end. */
static gboolean find_track_end(const View *view, int edge, int step, int from, int to, int *ret_end)
{
    Band band = {0};
    *ret_end = edge;
    if (!find_band(view, edge + 3 * step, from, to, &band)) {
        for (int across = from; across <= to; across++)
            if (!is_track_ground(view, edge + 3 * step, across))
                return FALSE;
        return TRUE;
    }
    return follow_track(view, edge + 3 * step, step, band, from, to, ret_end);
}

/* `knob` is what lies between these, along the line and across it. */
static gboolean is_slider(const View *view, int first, int last, int from, int to, HfShape *shape)
{
    int begin, end, knob = last - first + 1;
    if (!find_track_end(view, first, -1, from, to, &begin) ||
        !find_track_end(view, last, 1, from, to, &end))
        return FALSE;
    int whole = end - begin + 1;
    if (whole < TRACK_LEAST || whole < 3 * knob)
        return FALSE;
    int place = (first - begin) * 100 / MAX(1, whole - knob);
    shape->box = view->upright ? (HfRect){from, begin, to - from + 1, whole}
                               : (HfRect){begin, from, whole, to - from + 1};
    shape->value = CLAMP(view->upright ? 100 - place : place, 0, 100);
    return TRUE;
}

static gboolean make_slider(const HfImage *image, HfRect box, HfShape *shape)
{
    View view = {image, FALSE, get_control_pixel(image, box.x - 2, box.y - 2)};
    int right = box.x + box.width - 1, bottom = box.y + box.height - 1;
    if (MIN(box.width, box.height) < KNOB_LEAST || MAX(box.width, box.height) > KNOB_MOST ||
        !is_track_ground(&view, right + 2, box.y - 2) ||
        !is_track_ground(&view, box.x - 2, bottom + 2) ||
        !is_track_ground(&view, right + 2, bottom + 2) ||
        !is_even_around(image, box.x + box.width / 2, box.y + box.height / 2, 2))
        return FALSE;
    if (is_slider(&view, box.x, right, box.y, bottom, shape))
        return TRUE;
    view.upright = TRUE;
    return is_slider(&view, box.y, bottom, box.x, right, shape);
}

/* ---- all of them ---- */

static gboolean make_control(const HfImage *image, HfRect box, HfShape *shape)
{
    gboolean on = FALSE;
    *shape = (HfShape){.box = box, .kind = HF_SHAPE_SWITCH, .confidence = 0.8};
    if (is_switch(image, box, &on)) {
        shape->marked = on;
        return TRUE;
    }
    shape->kind = HF_SHAPE_SLIDER;
    return make_slider(image, box, shape);
}

static gboolean control_lies_mostly_in(HfRect inner, HfRect outer)
{
    HfRect common = hf_rect_intersect(inner, outer);
    return (gint64)common.width * common.height * 2 > (gint64)inner.width * inner.height;
}

/* Its parts were taken for buttons, and its two halves may both have been found. */
static void replace_parts_by_control(GArray *shapes, const HfShape *control)
{
    for (guint i = shapes->len; i-- > 0;) {
        const HfShape *shape = &g_array_index(shapes, HfShape, i);
        gboolean same = control_lies_mostly_in(control->box, shape->box) &&
                        (shape->kind == HF_SHAPE_SWITCH || shape->kind == HF_SHAPE_SLIDER);
        if (same)
            return;
        if (control_lies_mostly_in(shape->box, control->box))
            g_array_remove_index(shapes, i);
    }
    g_array_append_val(shapes, *control);
}

void hf_switch_slider_add(const HfImage *image, const GArray *pieces, GArray *shapes)
{
    for (guint i = 0; i < pieces->len && shapes->len < HF_LIMIT_SHAPES; i++) {
        const HfTextPiece *piece = &g_array_index(pieces, HfTextPiece, i);
        HfRect box = {piece->left, piece->top, hf_text_piece_width(piece) - 1,
                      hf_text_piece_height(piece) - 1};
        HfShape control;
        if (box.x >= 4 && box.y >= 4 && box.x + box.width < image->width - 4 &&
            box.y + box.height < image->height - 4 && box.width <= 3 * SWITCH_MOST &&
            box.height <= SWITCH_MOST && box.height >= KNOB_LEAST && box.width >= KNOB_LEAST &&
            make_control(image, box, &control))
            replace_parts_by_control(shapes, &control);
    }
}
