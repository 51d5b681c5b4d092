/* SPDX-License-Identifier: Apache-2.0 */
/* A check box has a border of one colour along its four sides. A radio button has the same radius
 * in all directions, and free corners. If the inside is not even, it is marked. A plain patch of
 * colour is neither: a dot, a sample, a sign.
 *
 * A switch is a bar with an even, round knob at one end. A slider is an even knob on a thin line
 * with free ends. Letters have no even knobs, and the lines of tables end at other lines. */
#include "hand/pixels/shapes/painted-controls.h"

#include <math.h>
#include <stdlib.h>

#include "hand/pixels/pixels-limits.h"
#include "hand/pixels/shapes/flat-areas.h"
#include "hand/pixels/text/text-pieces.h"

#define EDGE_LEAST 10
#define EDGE_MOST  24
#define DIRECTIONS 16
/* The greatest difference of radii of a circle, in pixels. */
#define ROUND_SLACK  2.1
#define SWITCH_LEAST 12
#define SWITCH_MOST  44
#define KNOB_LEAST   6
#define KNOB_MOST    36
#define TRACK_LEAST  48
#define TRACK_MOST   1000
/* The greatest thickness of a slider's line, in pixels and in percent of the knob. */
#define TRACK_THICK   12
#define TRACK_PERCENT 70

static guint32 get_clamped_pixel(const HfImage *image, int x, int y)
{
    return hf_image_row(image, CLAMP(y, 0, image->height - 1))[CLAMP(x, 0, image->width - 1)];
}

static gboolean has_colour_at(const HfImage *image, int x, int y, guint32 colour)
{
    return hf_colours_alike(get_clamped_pixel(image, x, y), colour);
}

static gboolean has_ground_corners(const HfImage *image, HfRect box, guint32 ground)
{
    int right = box.x + box.width - 1, bottom = box.y + box.height - 1;
    return has_colour_at(image, box.x, box.y, ground) &&
           has_colour_at(image, right, box.y, ground) &&
           has_colour_at(image, box.x, bottom, ground) &&
           has_colour_at(image, right, bottom, ground);
}

static double direction_angle(int direction)
{
    return direction * 2 * G_PI / DIRECTIONS;
}

/* ---- check boxes and radio buttons ---- */

/* The share of pixels along the four sides that are like the one in the middle of the upper side,
 * `in` pixels inside and without the corners, in percent. */
static int measure_even_border(const HfImage *image, HfRect box, int in)
{
    int corner = 4, like = 0, all = 0;
    int right = box.x + box.width - 1 - in, bottom = box.y + box.height - 1 - in;
    guint32 first = get_clamped_pixel(image, box.x + box.width / 2, box.y + in);
    for (int x = box.x + corner; x < box.x + box.width - corner; x++, all += 2)
        like += has_colour_at(image, x, box.y + in, first) + has_colour_at(image, x, bottom, first);
    for (int y = box.y + corner; y < box.y + box.height - corner; y++, all += 2)
        like += has_colour_at(image, box.x + in, y, first) + has_colour_at(image, right, y, first);
    return all ? like * 100 / all : 0;
}

static gboolean has_square_border(const HfImage *image, HfRect box, guint32 ground)
{
    for (int in = 0; in <= 1; in++)
        if (measure_even_border(image, box, in) >= 90 &&
            !has_colour_at(image, box.x + box.width / 2, box.y + in, ground))
            return TRUE;
    return FALSE;
}

/* Looks at the four pixels around a place, so that a thin ring has no gaps. */
static gboolean is_drawn_around(const HfImage *image, double x, double y, guint32 ground)
{
    int left = (int)floor(x), top = (int)floor(y);
    return !has_colour_at(image, left, top, ground) ||
           !has_colour_at(image, left + 1, top, ground) ||
           !has_colour_at(image, left, top + 1, ground) ||
           !has_colour_at(image, left + 1, top + 1, ground);
}

/* The distance from the middle at which the background ends. */
static double outer_radius(const HfImage *image, HfRect box, guint32 ground, int direction)
{
    double x = box.x + (box.width - 1) / 2.0, y = box.y + (box.height - 1) / 2.0;
    double radius = MAX(box.width, box.height) / 2.0 + 1, angle = direction_angle(direction);
    while (radius > 0 &&
           !is_drawn_around(image, x + radius * cos(angle), y + radius * sin(angle), ground))
        radius -= 0.5;
    return radius;
}

static gboolean has_round_border(const HfImage *image, HfRect box, guint32 ground)
{
    if (!has_ground_corners(image, box, ground))
        return FALSE;
    double nearest = G_MAXDOUBLE, farthest = 0;
    for (int i = 0; i < DIRECTIONS; i++) {
        double edge = outer_radius(image, box, ground, i);
        nearest = MIN(nearest, edge);
        farthest = MAX(farthest, edge);
    }
    return farthest - nearest <= ROUND_SLACK;
}

/* Whether the inside has a single colour. */
static gboolean is_evenly_filled(const HfImage *image, HfRect box, gboolean round,
                                 guint32 *ret_colour)
{
    int differing = 0, all = 0, border = 3;
    double middle_x = box.x + (box.width - 1) / 2.0, middle_y = box.y + (box.height - 1) / 2.0;
    double radius = MIN(box.width, box.height) / 2.0 - border;
    guint32 first = get_clamped_pixel(image, box.x + box.width / 2, box.y + border);
    *ret_colour = first;
    for (int y = box.y + border; y < box.y + box.height - border; y++)
        for (int x = box.x + border; x < box.x + box.width - border; x++) {
            if (round && hypot(x - middle_x, y - middle_y) > radius)
                continue;
            all++;
            differing += !has_colour_at(image, x, y, first);
        }
    return differing * 20 <= all;
}

static int colour_brightness(guint32 colour)
{
    return (int)((colour >> 16 & 255) + (colour >> 8 & 255) + (colour & 255)) / 3;
}

/* A line is brighter or darker than both the inside and the outside. The smooth edge of a plain
 * patch lies between them. */
static gboolean has_border_line(const HfImage *image, HfRect box, guint32 ground, guint32 inside)
{
    int least = MIN(colour_brightness(ground), colour_brightness(inside));
    int most = MAX(colour_brightness(ground), colour_brightness(inside));
    for (int in = 0; in <= 1; in++) {
        int line = colour_brightness(get_clamped_pixel(image, box.x + box.width / 2, box.y + in));
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
    gboolean square = has_square_border(image, box, ground);
    gboolean round = !square && has_round_border(image, box, ground);
    guint32 inside;
    if (!square && !round)
        return HF_SHAPE_ICON;
    gboolean even = is_evenly_filled(image, box, round, &inside);
    if (even && (!hf_colour_is_grey(inside) || !has_border_line(image, box, ground, inside)))
        return HF_SHAPE_ICON;
    *ret_marked = !even;
    return square ? HF_SHAPE_BOX : HF_SHAPE_CIRCLE;
}

/* ---- switches ---- */

/* A picture whose columns and rows may be swapped, for vertical sliders. */
typedef struct TrackView {
    const HfImage *image;
    gboolean vertical;
    guint32 ground;
} TrackView;

static gboolean is_track_ground(const TrackView *view, int along, int across)
{
    return view->vertical ? has_colour_at(view->image, across, along, view->ground)
                          : has_colour_at(view->image, along, across, view->ground);
}

static gboolean is_even_around(const HfImage *image, int x, int y, int radius)
{
    guint32 middle = get_clamped_pixel(image, x, y);
    for (int down = -radius; down <= radius; down++)
        for (int across = -radius; across <= radius; across++)
            if (hypot(across, down) <= radius &&
                !has_colour_at(image, x + across, y + down, middle))
                return FALSE;
    return TRUE;
}

/* The distance from the middle of a knob to its edge. */
static double knob_radius(const HfImage *image, int x, int y, int direction, double most)
{
    guint32 middle = get_clamped_pixel(image, x, y);
    double angle = direction_angle(direction), far = 0;
    while (far <= most && has_colour_at(image, (int)lround(x + far * cos(angle)),
                                        (int)lround(y + far * sin(angle)), middle))
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

/* From the first to the last pixel that is not background: the knob may have its colour. */
static int drawn_height(const HfImage *image, HfRect box, int x, guint32 ground)
{
    int first = box.y, last = box.y + box.height - 1;
    while (first < last && has_colour_at(image, x, first, ground))
        first++;
    while (last > first && has_colour_at(image, x, last, ground))
        last--;
    return last - first + 1;
}

/* The knob is higher than its bar, or the middle has the colour of the end without the knob. FALSE:
 * neither end has the knob. */
static gboolean find_knob_end(const HfImage *image, HfRect box, int left, int right,
                              gboolean *ret_on)
{
    int y = box.y + box.height / 2;
    guint32 ground = get_clamped_pixel(image, box.x - 2, box.y - 2);
    int higher = drawn_height(image, box, right, ground) - drawn_height(image, box, left, ground);
    guint32 middle = get_clamped_pixel(image, (left + right) / 2, y);
    gboolean left_is_track = has_colour_at(image, left, y, middle);
    gboolean right_is_track = has_colour_at(image, right, y, middle);
    *ret_on = abs(higher) >= 3 ? higher > 0 : left_is_track;
    return abs(higher) >= 3 || left_is_track != right_is_track;
}

static gboolean find_switch_knob(const HfImage *image, HfRect box, gboolean *ret_on)
{
    int y = box.y + box.height / 2, in = box.height / 2, near = MAX(1, box.height / 6);
    int left = box.x + in, right = box.x + box.width - 1 - in;
    return !hf_colours_alike(get_clamped_pixel(image, left, y),
                             get_clamped_pixel(image, right, y)) &&
           find_knob_end(image, box, left, right, ret_on) && is_even_around(image, left, y, near) &&
           is_even_around(image, right, y, near) &&
           is_disc(image, *ret_on ? right : left, y, box.height);
}

static gboolean is_switch(const HfImage *image, HfRect box, gboolean *ret_on)
{
    guint32 ground = get_clamped_pixel(image, box.x - 2, box.y - 2);
    int y = box.y + box.height / 2;
    return box.height >= SWITCH_LEAST && box.height <= SWITCH_MOST &&
           box.width * 10 >= box.height * 14 && box.width * 10 <= box.height * 28 &&
           has_ground_corners(image, box, ground) && !has_colour_at(image, box.x + 1, y, ground) &&
           !has_colour_at(image, box.x + box.width - 2, y, ground) &&
           has_colour_at(image, box.x - 2, y, ground) &&
           has_colour_at(image, box.x + box.width + 1, y, ground) &&
           find_switch_knob(image, box, ret_on);
}

/* ---- sliders ---- */

typedef struct Band {
    int first, last; /* across */
} Band;

/* Finds the thin line beside the middle of a knob. */
static gboolean find_track_band(const TrackView *view, int along, int from, int to, Band *band)
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

/* Follows the line to its end. FALSE: it ends at another line. */
static gboolean follow_track(const TrackView *view, int along, int step, Band band, int from,
                             int to, int *ret_end)
{
    int middle = (band.first + band.last) / 2, begin = along;
    int length = view->vertical ? view->image->height : view->image->width;
    while (along > 0 && along < length - 1 && abs(along - begin) <= TRACK_MOST &&
           !is_track_ground(view, along, middle) &&
           is_track_ground(view, along, MAX(from, band.first - 3)) &&
           is_track_ground(view, along, MIN(to, band.last + 3)))
        along += step;
    *ret_end = along - step;
    for (int out = 1; out <= 3; out++)
        for (int across = from; across <= to; across++)
            if (!is_track_ground(view, along + out * step, across))
                return FALSE;
    return TRUE;
}

/* One end of the line, which is the knob itself if it is at the very end. */
static gboolean find_track_end(const TrackView *view, int edge, int step, int from, int to,
                               int *ret_end)
{
    Band band = {0};
    *ret_end = edge;
    if (!find_track_band(view, edge + 3 * step, from, to, &band)) {
        for (int across = from; across <= to; across++)
            if (!is_track_ground(view, edge + 3 * step, across))
                return FALSE;
        return TRUE;
    }
    return follow_track(view, edge + 3 * step, step, band, from, to, ret_end);
}

/* The knob lies between these, along the line and across it. */
static gboolean is_slider(const TrackView *view, int first, int last, int from, int to,
                          HfShape *shape)
{
    int begin, end, knob = last - first + 1;
    if (!find_track_end(view, first, -1, from, to, &begin) ||
        !find_track_end(view, last, 1, from, to, &end))
        return FALSE;
    int whole = end - begin + 1;
    if (whole < TRACK_LEAST || whole < 3 * knob)
        return FALSE;
    int place = (first - begin) * 100 / MAX(1, whole - knob);
    shape->box = view->vertical ? (HfRect){from, begin, to - from + 1, whole}
                                : (HfRect){begin, from, whole, to - from + 1};
    shape->value = CLAMP(view->vertical ? 100 - place : place, 0, 100);
    return TRUE;
}

static gboolean make_slider(const HfImage *image, HfRect box, HfShape *shape)
{
    TrackView view = {image, FALSE, get_clamped_pixel(image, box.x - 2, box.y - 2)};
    int right = box.x + box.width - 1, bottom = box.y + box.height - 1;
    if (MIN(box.width, box.height) < KNOB_LEAST || MAX(box.width, box.height) > KNOB_MOST ||
        !is_track_ground(&view, right + 2, box.y - 2) ||
        !is_track_ground(&view, box.x - 2, bottom + 2) ||
        !is_track_ground(&view, right + 2, bottom + 2) ||
        !is_even_around(image, box.x + box.width / 2, box.y + box.height / 2, 2))
        return FALSE;
    if (is_slider(&view, box.x, right, box.y, bottom, shape))
        return TRUE;
    view.vertical = TRUE;
    return is_slider(&view, box.y, bottom, box.x, right, shape);
}

/* ---- both ---- */

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

/* Its parts may have been found as buttons, and both of its halves as controls. */
static void replace_parts_by_control(GArray *shapes, const HfShape *control)
{
    for (guint i = shapes->len; i-- > 0;) {
        const HfShape *shape = &g_array_index(shapes, HfShape, i);
        gboolean same = hf_box_is_mostly_in(control->box, shape->box) &&
                        (shape->kind == HF_SHAPE_SWITCH || shape->kind == HF_SHAPE_SLIDER);
        if (same)
            return;
        if (hf_box_is_mostly_in(shape->box, control->box))
            g_array_remove_index(shapes, i);
    }
    g_array_append_val(shapes, *control);
}

void hf_switch_slider_add(const HfImage *image, const GArray *pieces, GArray *shapes)
{
    for (guint i = 0; i < pieces->len && shapes->len < HF_LIMIT_SHAPES; i++) {
        HfRect box = hf_text_piece_box(&g_array_index(pieces, HfTextPiece, i));
        HfShape control;
        if (box.x >= 4 && box.y >= 4 && box.x + box.width < image->width - 4 &&
            box.y + box.height < image->height - 4 && box.width <= 3 * SWITCH_MOST &&
            box.height <= SWITCH_MOST && box.height >= KNOB_LEAST && box.width >= KNOB_LEAST &&
            make_control(image, box, &control))
            replace_parts_by_control(shapes, &control);
    }
}
