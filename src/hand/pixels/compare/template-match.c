/* SPDX-License-Identifier: Apache-2.0 */
/* Coarse to fine. Both pictures are made smaller, until the small one has just enough pixels to be
 * recognised by; every place is tried there. The best places are then followed through the larger
 * sizes, a few pixels around each. What was good when it was small and is not when it is large was
 * something else. */
#include "hand/pixels/compare/template-match.h"

#include <math.h>

#include "hand/pixels/compare/template-correlation.h"
#include "hand/pixels/pixels-limits.h"
#include "shared/base/error.h"

/* The shorter edge of the small picture where every place is tried. */
#define COARSE_EDGE 8
#define MOST_LEVELS 5
/* Places that are followed, and how much less than asked for they may have when they are small. */
#define FOLLOWED 200u
/* Of how many places it is remembered how good they are. */
#define MOST_PLACES (1u << 19)
#define COARSE_LOSS 0.55
#define FINE_LOSS   0.25
/* Pixels around a place that are tried at the next size. */
#define AROUND 2
/* A contrast below this is none. */
#define LEAST_DEVIATION 3.0
/* Light for dark is a little less likely. */
#define INVERTED 0.96
/* What fits like this at its own size fits no better at another. */
#define CERTAIN 0.95
/* Sizes other than its own, nearest first. */
static const double other_scales[] = {0.95, 1.05, 0.9, 1.1, 0.85, 1.15, 0.8, 1.2, 1.25};

typedef struct Place {
    int x, y;
    double score; /* negative: inverted */
} Place;

typedef struct Levels {
    HfGrey *large[MOST_LEVELS];
    int count;
} Levels;

static void levels_clear(Levels *levels)
{
    for (int i = 0; i < levels->count; i++)
        hf_grey_free(levels->large[i]);
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
    levels->large[0] = hf_grey_new(image);
    for (levels->count = 1; levels->count < count; levels->count++)
        levels->large[levels->count] = hf_grey_new_half(levels->large[levels->count - 1]);
    hf_grey_add_up(levels->large[levels->count - 1]);
}

/* ---- every place, when it is small ---- */

static int compare_place_scores(gconstpointer a, gconstpointer b)
{
    double left = score_weight(((const Place *)a)->score),
           right = score_weight(((const Place *)b)->score);
    return (right > left) - (right < left);
}

static gboolean is_near(const GArray *places, int x, int y, int across, int down)
{
    for (guint i = 0; i < places->len; i++) {
        const Place *place = &g_array_index(places, Place, i);
        if (ABS(place->x - x) <= across && ABS(place->y - y) <= down)
            return TRUE;
    }
    return FALSE;
}

/* The best of each neighbourhood, and no more than will be followed. */
static GArray *choose_places(GArray *all, const HfStencil *stencil)
{
    GArray *chosen = g_array_new(FALSE, FALSE, sizeof(Place));
    g_array_sort(all, compare_place_scores);
    for (guint i = 0; i < all->len && chosen->len < FOLLOWED; i++) {
        const Place *place = &g_array_index(all, Place, i);
        if (!is_near(chosen, place->x, place->y, MAX(1, stencil->width / 4),
                     MAX(1, stencil->height / 4)))
            g_array_append_val(chosen, *place);
    }
    return chosen;
}

/* As many as matter, and no more than fit in 8 MB: the better half stays. */
static void limit_places(GArray *all)
{
    if (all->len < MOST_PLACES)
        return;
    g_array_sort(all, compare_place_scores);
    g_array_set_size(all, MOST_PLACES / 2);
}

/* Until the time is over. */
static GArray *try_everywhere(const HfGrey *large, const HfStencil *stencil, double least,
                              const HfTemplateSearch *search)
{
    g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(Place));
    int across = large->width - stencil->width + 1, down = large->height - stencil->height + 1;
    g_autofree double *scores = g_new(double, MAX(1, across));
    for (int y = 0; y < down && !is_template_search_late(search); y++) {
        limit_places(all);
        hf_stencil_score_row(stencil, large, y, across, scores);
        for (int x = 0; x < across; x++) {
            Place place = {x, y, scores[x]};
            if (score_weight(place.score) >= least)
                g_array_append_val(all, place);
        }
    }
    return choose_places(all, stencil);
}

/* ---- following ---- */

static Place best_around(const HfGrey *large, const HfStencil *stencil, int x, int y)
{
    Place best = {x, y, 0};
    for (int dy = -AROUND; dy <= AROUND; dy++)
        for (int dx = -AROUND; dx <= AROUND; dx++) {
            Place place = {x + dx, y + dy, 0};
            if (place.x < 0 || place.y < 0 || place.x + stencil->width > large->width ||
                place.y + stencil->height > large->height)
                continue;
            place.score = hf_stencil_score(stencil, large, place.x, place.y);
            if (score_weight(place.score) > score_weight(best.score))
                best = place;
        }
    return best;
}

/* Keeps those that are as good at this size. */
static void refine_template_places(GArray *places, const HfGrey *large, const HfStencil *stencil,
                                   double least, const HfTemplateSearch *search)
{
    for (guint i = places->len; i > 0; i--) {
        Place *place = &g_array_index(places, Place, i - 1);
        gboolean late = is_template_search_late(search);
        if (!late)
            *place = best_around(large, stencil, place->x * 2, place->y * 2);
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

static GArray *keep_best(GArray *all, guint most)
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

/* One size of the small picture. */
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
        g_autoptr(HfStencil) stencil = hf_stencil_new(small, here);
        if (stencil->deviation < LEAST_DEVIATION || is_template_search_late(search))
            return;
        if (places)
            refine_template_places(places, levels->large[level], stencil, least, search);
        else
            places = try_everywhere(levels->large[level], stencil, least, search);
    }
    add_hits(hits, places, size, scale);
}

static gboolean check_template(const HfImage *image, const HfImage *small, GError **error)
{
    int shorter = MIN(small->width, small->height), longer = MAX(small->width, small->height);
    if (longer > HF_LIMIT_TEMPLATE_EDGE)
        return hf_fail(error, HF_ERROR_LIMIT_EXCEEDED,
                       "template: %dx%d pixels; at most %d along an edge", small->width,
                       small->height, HF_LIMIT_TEMPLATE_EDGE);
    if (shorter < HF_LIMIT_TEMPLATE_LEAST_EDGE)
        return hf_fail(error, HF_ERROR_INVALID_PARAMS,
                       "template: %dx%d pixels are too few to be recognised; at least %d along "
                       "each edge",
                       small->width, small->height, HF_LIMIT_TEMPLATE_LEAST_EDGE);
    if (small->width > image->width || small->height > image->height)
        return hf_fail(error, HF_ERROR_INVALID_PARAMS,
                       "template: %dx%d pixels are more than there are to look at, %dx%d",
                       small->width, small->height, image->width, image->height);
    g_autoptr(HfStencil) whole = hf_stencil_new(small, (HfSize){small->width, small->height});
    if (whole->deviation >= LEAST_DEVIATION)
        return TRUE;
    hf_fail(error, HF_ERROR_INVALID_PARAMS,
            "template: it is of one colour, so there is nothing to recognise it by");
    hf_error_suggest(error, "cut out more of what is around it");
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
    return keep_best(all, MIN(search->most, HF_LIMIT_TEMPLATE_HITS));
}
