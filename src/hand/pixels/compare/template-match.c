/* SPDX-License-Identifier: Apache-2.0 */
/* Coarse to fine. Both pictures are halved until the template has just enough pixels. Every place
 * is tried at this level. The best places are then followed through the finer levels, a few pixels
 * around each. A place that was only good at the coarse level was something else.
 *
 * Correlation: sums over a place come from tables, and products with the template are added up for
 * a whole row of places at once. These are long plain loops, which compilers vectorise. */
#include "hand/pixels/compare/template-match.h"

#include <math.h>
#include <string.h>

#include "hand/pixels/pixels-limits.h"
#include "shared/base/error.h"

/* The shorter edge of the template at the coarsest level. */
#define COARSE_EDGE 8
#define MOST_LEVELS 5
/* Places that are followed. */
#define FOLLOWED 200u
/* Places whose score is remembered. */
#define MOST_PLACES (1u << 19)
/* How far below the threshold the score may be at the coarsest and at other levels. */
#define COARSE_LOSS 0.55
#define FINE_LOSS   0.25
/* Pixels around a place that are tried at the next level. */
#define AROUND 2
/* A template with less contrast cannot be found. */
#define LEAST_DEVIATION 3.0
/* A match with light and dark swapped is a little less likely. */
#define INVERTED 0.96
/* With this score at its own size, other sizes are not tried. */
#define CERTAIN 0.95
/* Sizes other than its own, nearest first. */
static const double other_scales[] = {0.95, 1.05, 0.9, 1.1, 0.85, 1.15, 0.8, 1.2, 1.25};
/* A place with less variance has nothing that could correlate. */
#define LEAST_VARIANCE 4.0
/* Pixels with less alpha count as transparent. */
#define OPAQUE 128
/* The products of this many pixels add up without overflow of an int. */
#define MOST_SUMMED 33000

/* A grey picture. The tables hold, for each pixel, the sum of all above and to the left of it: with
 * four lookups they give the brightness and contrast of any part. */
typedef struct Grey {
    int width, height;
    gint16 *pixels;
    guint32 *sums;    /* (width + 1) x (height + 1) */
    guint64 *squares; /* the same for squares */
} Grey;

/* The template at some size: its pixels less their mean, 0 where it is transparent. */
typedef struct Stencil {
    int width, height;
    gint16 *pixels;
    guint8 *mask;     /* 1 where it counts */
    gboolean whole;   /* all of it counts */
    int count;        /* pixels that count */
    double deviation; /* standard deviation of the pixels */
    double rest;      /* their sum, which is not 0 because of rounding */
    double norm;      /* square root of the sum of their squares */
} Stencil;

/* Vector instructions pay off here even in a build that is not optimised for speed. */
#define VECTORS __attribute__((optimize("O3")))

static inline gint16 grey_of(guint32 pixel)
{
    guint32 red = pixel >> 16 & 0xff, green = pixel >> 8 & 0xff, blue = pixel & 0xff;
    return (gint16)((red * 77 + green * 150 + blue * 29) >> 8);
}

static Grey *alloc_grey(int width, int height)
{
    Grey *grey = g_new0(Grey, 1);
    grey->width = width;
    grey->height = height;
    grey->pixels = g_new(gint16, (gsize)width * (gsize)height + 16);
    return grey;
}

static void grey_free(Grey *grey)
{
    if (!grey)
        return;
    g_free(grey->pixels);
    g_free(grey->sums);
    g_free(grey->squares);
    g_free(grey);
}

/* Fills the tables of sums, for score_stencil_row. */
static void add_up_grey(Grey *grey)
{
    gsize stride = (gsize)grey->width + 1;
    grey->sums = g_new0(guint32, stride * ((gsize)grey->height + 1));
    grey->squares = g_new0(guint64, stride * ((gsize)grey->height + 1));
    for (int y = 0; y < grey->height; y++) {
        const gint16 *row = grey->pixels + (gsize)y * (gsize)grey->width;
        guint32 sum = 0;
        guint64 square = 0;
        for (int x = 0; x < grey->width; x++) {
            gsize at = ((gsize)y + 1) * stride + (gsize)x + 1;
            sum += (guint32)row[x];
            square += (guint64)(row[x] * row[x]);
            grey->sums[at] = grey->sums[at - stride] + sum;
            grey->squares[at] = grey->squares[at - stride] + square;
        }
    }
}

static Grey *grey_new(const HfImage *image)
{
    Grey *grey = alloc_grey(image->width, image->height);
    for (int y = 0; y < image->height; y++) {
        const guint32 *from = hf_image_row(image, y);
        gint16 *to = grey->pixels + (gsize)y * (gsize)grey->width;
        for (int x = 0; x < image->width; x++)
            to[x] = grey_of(from[x]);
    }
    return grey;
}

/* At half the size. */
static Grey *grey_new_half(const Grey *grey)
{
    Grey *half = alloc_grey(MAX(1, grey->width / 2), MAX(1, grey->height / 2));
    int right = grey->width > 1, below = grey->height > 1 ? grey->width : 0;
    for (int y = 0; y < half->height; y++) {
        const gint16 *from = grey->pixels + (gsize)y * 2 * (gsize)grey->width;
        gint16 *to = half->pixels + (gsize)y * (gsize)half->width;
        for (int x = 0; x < half->width; x++, from += 2)
            to[x] = (gint16)((from[0] + from[right] + from[below] + from[below + right] + 2) / 4);
    }
    return half;
}

/* ---- stencils ---- */

/* The part of the given picture that one pixel of the stencil covers. */
typedef struct Cover {
    double grey, alpha, area;
} Cover;

static Cover average_cover(const HfImage *small, double left, double top, double right,
                           double bottom)
{
    Cover cover = {0};
    for (int y = (int)top; y < small->height && y < bottom; y++) {
        double high = MIN(bottom, y + 1) - MAX(top, y);
        const guint32 *row = hf_image_row(small, y);
        for (int x = (int)left; x < small->width && x < right; x++) {
            double area = high * (MIN(right, x + 1) - MAX(left, x));
            double alpha = area * (row[x] >> 24) / 255.0;
            cover.grey += alpha * grey_of(row[x]);
            cover.alpha += alpha;
            cover.area += area;
        }
    }
    return cover;
}

static void fill_stencil(Stencil *stencil, const HfImage *small)
{
    double across = (double)small->width / stencil->width;
    double down = (double)small->height / stencil->height;
    for (int y = 0; y < stencil->height; y++)
        for (int x = 0; x < stencil->width; x++) {
            Cover cover =
                average_cover(small, x * across, y * down, (x + 1) * across, (y + 1) * down);
            gsize at = (gsize)y * (gsize)stencil->width + (gsize)x;
            stencil->mask[at] = cover.area > 0 && cover.alpha * 255 >= OPAQUE * cover.area;
            stencil->count += stencil->mask[at];
            stencil->pixels[at] =
                (gint16)(stencil->mask[at] ? lround(cover.grey / cover.alpha) : 0);
        }
}

/* In fractions of a grey level, since the mean is not an integer: as fine as the sums allow. */
static void subtract_mean(Stencil *stencil)
{
    double parts = stencil->count > MOST_SUMMED
                       ? 16
                       : MIN(16, (double)G_MAXINT / 2 / (255.0 * 255.0 * MAX(1, stencil->count)));
    gsize cells = (gsize)stencil->width * (gsize)stencil->height;
    double sum = 0, squares = 0, rest = 0;
    for (gsize i = 0; i < cells; i++)
        sum += stencil->pixels[i];
    double mean = stencil->count > 0 ? sum / stencil->count : 0;
    for (gsize i = 0; i < cells; i++) {
        double less = stencil->mask[i] ? (stencil->pixels[i] - mean) * parts : 0;
        stencil->pixels[i] = (gint16)lround(less);
        rest += stencil->pixels[i];
        squares += (double)stencil->pixels[i] * stencil->pixels[i];
    }
    stencil->rest = rest;
    stencil->norm = sqrt(MAX(0, squares - rest * rest / MAX(1, stencil->count)));
    stencil->deviation = stencil->count > 0 ? stencil->norm / parts / sqrt(stencil->count) : 0;
}

static Stencil *stencil_new(const HfImage *small, HfSize size)
{
    Stencil *stencil = g_new0(Stencil, 1);
    gsize cells = (gsize)size.width * (gsize)size.height;
    stencil->width = size.width;
    stencil->height = size.height;
    stencil->pixels = g_new0(gint16, cells);
    stencil->mask = g_new0(guint8, cells);
    fill_stencil(stencil, small);
    subtract_mean(stencil);
    stencil->whole = stencil->count == (int)cells;
    return stencil;
}

static void stencil_free(Stencil *stencil)
{
    if (!stencil)
        return;
    g_free(stencil->pixels);
    g_free(stencil->mask);
    g_free(stencil);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Stencil, stencil_free)

/* ---- correlation ---- */

static double correlation_score(const Stencil *stencil, double product, double sum, double squares)
{
    double variance = squares - sum * sum / stencil->count;
    if (variance < LEAST_VARIANCE * stencil->count)
        return 0;
    double covariance = product - stencil->rest * sum / stencil->count;
    return CLAMP(covariance / (stencil->norm * sqrt(variance)), -1, 1);
}

/* The same for a place whose sums come from the tables. */
static double score_by_tables(const Stencil *stencil, const Grey *large, int x, int y, int product)
{
    gsize stride = (gsize)large->width + 1, width = (gsize)stencil->width;
    gsize top = (gsize)y * stride + (gsize)x, bottom = top + (gsize)stencil->height * stride;
    const guint32 *sums = large->sums;
    const guint64 *squares = large->squares;
    return correlation_score(
        stencil, product,
        (guint32)(sums[bottom + width] - sums[bottom] - sums[top + width] + sums[top]),
        (double)(squares[bottom + width] - squares[bottom] - squares[top + width] + squares[top]));
}

/* The correlation at a place, from -1 to 1. */
static double score_stencil(const Stencil *stencil, const Grey *large, int x, int y)
{
    gint64 product = 0, sum = 0, squares = 0;
    for (int j = 0; j < stencil->height; j++) {
        const gint16 *row = large->pixels + (gsize)(y + j) * (gsize)large->width + x;
        const gint16 *own = stencil->pixels + (gsize)j * (gsize)stencil->width;
        const guint8 *mask = stencil->mask + (gsize)j * (gsize)stencil->width;
        int line = 0, line_sum = 0, line_squares = 0;
        for (int i = 0; i < stencil->width; i++) {
            int pixel = row[i] * mask[i];
            line += own[i] * row[i];
            line_sum += pixel;
            line_squares += pixel * pixel;
        }
        product += line;
        sum += line_sum;
        squares += line_squares;
    }
    return correlation_score(stencil, (double)product, (double)sum, (double)squares);
}

VECTORS static void add_products(int *to, const gint16 *row, int factor, int count)
{
    for (int x = 0; x < count; x++)
        to[x] += factor * row[x];
}

VECTORS static void add_masked(int *sums, int *squares, const gint16 *row, int count)
{
    for (int x = 0; x < count; x++) {
        sums[x] += row[x];
        squares[x] += row[x] * row[x];
    }
}

/* The same for the first `count` places of a row. */
static void score_stencil_row(const Stencil *stencil, const Grey *large, int y, int count,
                              double *ret_scores)
{
    g_autofree int *products = g_new0(int, (gsize)MAX(1, count) * 3);
    int *sums = products + count, *squares = sums + count;
    for (int j = 0; j < stencil->height; j++) {
        const gint16 *row = large->pixels + (gsize)(y + j) * (gsize)large->width;
        for (int i = 0; i < stencil->width; i++) {
            gsize at = (gsize)j * (gsize)stencil->width + (gsize)i;
            add_products(products, row + i, stencil->pixels[at], count);
            if (!stencil->whole && stencil->mask[at])
                add_masked(sums, squares, row + i, count);
        }
    }
    for (int x = 0; x < count; x++)
        ret_scores[x] = stencil->whole
                            ? score_by_tables(stencil, large, x, y, products[x])
                            : correlation_score(stencil, products[x], sums[x], squares[x]);
}

/* ---- levels ---- */

typedef struct Place {
    int x, y;
    double score; /* negative: inverted */
} Place;

typedef struct Levels {
    Grey *large[MOST_LEVELS];
    int count;
} Levels;

static void levels_clear(Levels *levels)
{
    for (int i = 0; i < levels->count; i++)
        grey_free(levels->large[i]);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Levels, levels_clear)

static double score_weight(double score)
{
    return score >= 0 ? score : -score * INVERTED;
}

static gboolean is_template_search_late(const HfTemplateSearch *search)
{
    return g_get_monotonic_time() > search->until;
}

static int count_levels(int edge)
{
    int count = 1;
    while (count < MOST_LEVELS && edge / 2 >= COARSE_EDGE) {
        edge /= 2;
        count++;
    }
    return count;
}

static void make_levels(Levels *levels, const HfImage *image, int count)
{
    levels->large[0] = grey_new(image);
    for (levels->count = 1; levels->count < count; levels->count++)
        levels->large[levels->count] = grey_new_half(levels->large[levels->count - 1]);
    add_up_grey(levels->large[levels->count - 1]);
}

/* ---- the coarsest level ---- */

static int compare_place_scores(gconstpointer a, gconstpointer b)
{
    double left = score_weight(((const Place *)a)->score),
           right = score_weight(((const Place *)b)->score);
    return (right > left) - (right < left);
}

static gboolean is_near_chosen_place(const GArray *places, int x, int y, int across, int down)
{
    for (guint i = 0; i < places->len; i++) {
        const Place *place = &g_array_index(places, Place, i);
        if (ABS(place->x - x) <= across && ABS(place->y - y) <= down)
            return TRUE;
    }
    return FALSE;
}

/* The best place of each neighbourhood, at most FOLLOWED. */
static GArray *choose_places(GArray *all, const Stencil *stencil)
{
    GArray *chosen = g_array_new(FALSE, FALSE, sizeof(Place));
    g_array_sort(all, compare_place_scores);
    for (guint i = 0; i < all->len && chosen->len < FOLLOWED; i++) {
        const Place *place = &g_array_index(all, Place, i);
        if (!is_near_chosen_place(chosen, place->x, place->y, MAX(1, stencil->width / 4),
                                  MAX(1, stencil->height / 4)))
            g_array_append_val(chosen, *place);
    }
    return chosen;
}

/* Until the time limit. */
static GArray *score_all_places(const Grey *large, const Stencil *stencil, double least,
                                const HfTemplateSearch *search)
{
    g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(Place));
    int across = large->width - stencil->width + 1, down = large->height - stencil->height + 1;
    g_autofree double *scores = g_new(double, MAX(1, across));
    for (int y = 0; y < down && !is_template_search_late(search); y++) {
        if (all->len >= MOST_PLACES) { /* the better half, so that they fit in 8 MB */
            g_array_sort(all, compare_place_scores);
            g_array_set_size(all, MOST_PLACES / 2);
        }
        score_stencil_row(stencil, large, y, across, scores);
        for (int x = 0; x < across; x++) {
            Place place = {x, y, scores[x]};
            if (score_weight(place.score) >= least)
                g_array_append_val(all, place);
        }
    }
    return choose_places(all, stencil);
}

/* ---- finer levels ---- */

static Place find_best_around(const Grey *large, const Stencil *stencil, int x, int y)
{
    Place best = {x, y, 0};
    for (int dy = -AROUND; dy <= AROUND; dy++)
        for (int dx = -AROUND; dx <= AROUND; dx++) {
            Place place = {x + dx, y + dy, 0};
            if (place.x < 0 || place.y < 0 || place.x + stencil->width > large->width ||
                place.y + stencil->height > large->height)
                continue;
            place.score = score_stencil(stencil, large, place.x, place.y);
            if (score_weight(place.score) > score_weight(best.score))
                best = place;
        }
    return best;
}

/* Keeps the places that are good at this level too. */
static void refine_template_places(GArray *places, const Grey *large, const Stencil *stencil,
                                   double least, const HfTemplateSearch *search)
{
    for (guint i = places->len; i > 0; i--) {
        Place *place = &g_array_index(places, Place, i - 1);
        gboolean late = is_template_search_late(search);
        if (!late)
            *place = find_best_around(large, stencil, place->x * 2, place->y * 2);
        if (late || score_weight(place->score) < least)
            g_array_remove_index_fast(places, i - 1);
    }
}

/* ---- hits ---- */

static int compare_template_hits(gconstpointer a, gconstpointer b)
{
    const HfTemplateHit *left = a, *right = b;
    return (right->score > left->score) - (right->score < left->score);
}

static gboolean overlaps_template_hit(const GArray *hits, HfRect box)
{
    for (guint i = 0; i < hits->len; i++) {
        HfRect common = hf_rect_intersect(g_array_index(hits, HfTemplateHit, i).box, box);
        if ((gint64)common.width * common.height * 10 > (gint64)box.width * box.height * 3)
            return TRUE;
    }
    return FALSE;
}

static void add_hits(GArray *hits, const GArray *places, HfSize size, double scale)
{
    for (guint i = 0; i < places->len; i++) {
        const Place *place = &g_array_index(places, Place, i);
        HfTemplateHit hit = {{place->x, place->y, size.width, size.height},
                             MIN(1, score_weight(place->score)),
                             scale,
                             place->score < 0};
        g_array_append_val(hits, hit);
    }
}

static GArray *choose_best_hits(GArray *all, guint most)
{
    GArray *hits = g_array_new(FALSE, FALSE, sizeof(HfTemplateHit));
    g_array_sort(all, compare_template_hits);
    for (guint i = 0; i < all->len && hits->len < most; i++) {
        const HfTemplateHit *hit = &g_array_index(all, HfTemplateHit, i);
        if (!overlaps_template_hit(hits, hit->box))
            g_array_append_val(hits, *hit);
    }
    return hits;
}

static double best_template_score(const GArray *hits)
{
    double best = 0;
    for (guint i = 0; i < hits->len; i++)
        best = MAX(best, g_array_index(hits, HfTemplateHit, i).score);
    return best;
}

/* Searches for one size of the template. */
static void find_template_at_scale(const Levels *levels, const HfImage *small, double scale,
                                   const HfTemplateSearch *search, GArray *hits)
{
    HfSize size = {MAX(1, (int)lround(small->width * scale)),
                   MAX(1, (int)lround(small->height * scale))};
    if (size.width > levels->large[0]->width || size.height > levels->large[0]->height)
        return;
    g_autoptr(GArray) places = NULL;
    for (int level = levels->count - 1; level >= 0; level--) {
        double loss = level == 0 ? 0 : places ? FINE_LOSS : COARSE_LOSS;
        double least = MAX(0.2, search->threshold - loss);
        HfSize here = {MAX(1, size.width >> level), MAX(1, size.height >> level)};
        g_autoptr(Stencil) stencil = stencil_new(small, here);
        if (stencil->deviation < LEAST_DEVIATION || is_template_search_late(search))
            return;
        if (places)
            refine_template_places(places, levels->large[level], stencil, least, search);
        else
            places = score_all_places(levels->large[level], stencil, least, search);
    }
    add_hits(hits, places, size, scale);
}

static gboolean check_template(const HfImage *image, const HfImage *small, GError **error)
{
    int shorter = MIN(small->width, small->height), longer = MAX(small->width, small->height);
    if (longer > HF_LIMIT_TEMPLATE_EDGE)
        return hf_fail(error, HF_ERROR_LIMIT_EXCEEDED,
                       "template: %dx%d pixels are too large; give at most %d along an edge",
                       small->width, small->height, HF_LIMIT_TEMPLATE_EDGE);
    if (shorter < HF_LIMIT_TEMPLATE_LEAST_EDGE)
        return hf_fail(error, HF_ERROR_INVALID_PARAMS,
                       "template: %dx%d pixels are too small to be found; give at least %d along "
                       "each edge",
                       small->width, small->height, HF_LIMIT_TEMPLATE_LEAST_EDGE);
    if (small->width > image->width || small->height > image->height)
        return hf_fail(
            error, HF_ERROR_INVALID_PARAMS,
            "template: %dx%d pixels are larger than the searched picture of %dx%d; give a "
            "smaller template",
            small->width, small->height, image->width, image->height);
    g_autoptr(Stencil) whole = stencil_new(small, (HfSize){small->width, small->height});
    if (whole->deviation >= LEAST_DEVIATION)
        return TRUE;
    hf_fail(error, HF_ERROR_INVALID_PARAMS,
            "template: it has a single colour, so it cannot be found");
    hf_error_suggest(error, "cut out a larger part that shows more than one colour");
    return FALSE;
}

GArray *hf_image_find_template(const HfImage *image, const HfImage *small,
                               const HfTemplateSearch *search, gboolean *ret_late, GError **error)
{
    if (!check_template(image, small, error))
        return NULL;
    g_auto(Levels) levels = {0};
    g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(HfTemplateHit));
    make_levels(&levels, image, count_levels(MIN(small->width, small->height)));
    find_template_at_scale(&levels, small, 1, search, all);
    gboolean own = best_template_score(all) >= CERTAIN;
    for (gsize i = 0; i < G_N_ELEMENTS(other_scales) && !own && !is_template_search_late(search);
         i++)
        find_template_at_scale(&levels, small, other_scales[i], search, all);
    if (ret_late)
        *ret_late = is_template_search_late(search);
    return choose_best_hits(all, MIN(search->most, HF_LIMIT_TEMPLATE_HITS));
}
