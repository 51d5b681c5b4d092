/* SPDX-License-Identifier: Apache-2.0 */
/* All things are weighed by what was said of the other end; what fits best, and what nearly does as
 * well, may be meant. */
#include "hand/locate/anchors.h"

#include "hand/atspi/tree/roles.h"

/* More are not looked at. */
#define ANCHORS 12
/* Where there is none: it resembles what was said, which is better than nothing. */
#define LEAST_RESEMBLING 0.12
/* How much of the best one must have to be meant as well. */
#define NEAR_BEST    0.75
#define NAMED_ALIKE  0.9
#define BETWEEN_BEST 0.95
#define AS_GOOD      0.98
/* One that is only known by the name of another, which is there as well. */
#define BORROWED         0.7
#define BORROWED_UPRIGHT 0.97
/* A box that is called so, and does not count less for being one. */
#define BOXED 1.7
/* All that was said is in the name of a row or in one of it: what else is there does not matter. */
#define HAS_MORE 1.4
/* It says next to nothing. */
#define VAGUE 0.6
/* A better one is trusted a little more than it scores. */
#define HALF_SURE 0.6
/* Nothing on the screen is what it should be tied to. */
#define NO_ANCHOR  0.5
#define RESEMBLING 0.9

static int compare_anchors(gconstpointer a, gconstpointer b)
{
    const HfAnchor *left = a, *right = b;
    return (right->score > left->score) - (right->score < left->score);
}

static gboolean is_rowed(const HfThing *thing)
{
    return thing->row != HF_NODE_NONE || thing->as_row != HF_NODE_NONE;
}

/* "the ticked file's row": what is in no row is not meant, if something as good is in one;
 * what is called just so may stand in any line. */
static void keep_rowed(const HfScene *scene, gboolean named, GArray *anchors)
{
    double rowed = 0, best = 0;
    for (guint i = 0; i < anchors->len; i++) {
        const HfAnchor *anchor = &g_array_index(anchors, HfAnchor, i);
        best = MAX(best, anchor->score);
        if (is_rowed(hf_scene_get(scene, anchor->thing)))
            rowed = MAX(rowed, anchor->score);
    }
    for (guint i = anchors->len; rowed >= NEAR_BEST * best && i > 0; i--)
        if (!is_rowed(hf_scene_get(scene, g_array_index(anchors, HfAnchor, i - 1).thing)) &&
            (!named || g_array_index(anchors, HfAnchor, i - 1).score < AS_GOOD * best))
            g_array_remove_index(anchors, i - 1);
}

/* Any box may be called a section, and anything an item. */
static gboolean is_vague(const HfReading *reading)
{
    if (!reading || reading->name)
        return FALSE;
    return reading->kind == HF_KIND_PANEL ||
           (reading->kind == HF_KIND_ITEM && !reading->nth && !reading->is && !reading->spot &&
            !reading->nameless && reading->tie_count == 0);
}

static void drop_resembling(GArray *anchors)
{
    gboolean any = FALSE;
    for (guint i = 0; i < anchors->len; i++)
        any |= g_array_index(anchors, HfAnchor, i).score >= HF_LEAST_ANCHOR;
    for (guint i = anchors->len; any && i > 0; i--)
        if (g_array_index(anchors, HfAnchor, i - 1).score < HF_LEAST_ANCHOR)
            g_array_remove_index(anchors, i - 1);
}

/* Best first. */
static GArray *find_near(const HfScene *scene, const HfDescription *description, gboolean rowed,
                         double borrow, double around, double near)
{
    GArray *anchors = g_array_new(FALSE, FALSE, sizeof(HfAnchor));
    g_autofree HfMark *marks = g_new0(HfMark, scene->things->len + 1);
    hf_weigh_all(scene, description, marks);
    for (guint i = 0; i < scene->things->len; i++) {
        gboolean borrowed = marks[i].of == HF_TEXT_OF_LABEL || marks[i].of == HF_TEXT_OF_COLUMN;
        gboolean boxed = hf_scene_get(scene, (int)i)->area && marks[i].reading &&
                         marks[i].reading->kind == HF_KIND_ANY &&
                         (marks[i].of != HF_TEXT_OF_CONTENTS || marks[i].how >= HF_NAME_MEANS);
        gboolean has_more = marks[i].reading && marks[i].reading->name &&
                            marks[i].how == HF_NAME_HAS && is_rowed(hf_scene_get(scene, (int)i));
        double more = has_more ? HAS_MORE : 1;
        HfAnchor anchor = {
            (int)i, MIN(1, marks[i].score * (borrowed ? borrow : 1) * (boxed ? around : 1) * more)};
        if (is_vague(marks[i].reading))
            anchor.score *= VAGUE;
        if (anchor.score >= LEAST_RESEMBLING)
            g_array_append_val(anchors, anchor);
    }
    drop_resembling(anchors);
    const HfReading *first =
        description->readings->len > 0 ? description->readings->pdata[0] : NULL;
    if (rowed)
        keep_rowed(scene, first && first->name && !first->is && !first->nth, anchors);
    g_array_sort(anchors, compare_anchors);
    for (guint i = 1; i < anchors->len; i++)
        if (i >= ANCHORS || g_array_index(anchors, HfAnchor, i).score <
                                near * g_array_index(anchors, HfAnchor, 0).score)
            g_array_set_size(anchors, i);
    return anchors;
}

/* "Below User name" is below its field as well; what something is in, is most likely a box. */
GArray *hf_anchors_find(const HfScene *scene, const HfTie *tie, const HfDescription *description)
{
    gboolean upright = tie->kind == HF_TIE_ABOVE || tie->kind == HF_TIE_BELOW;
    gboolean inside = tie->kind == HF_TIE_IN || tie->kind == HF_TIE_SPOT;
    const HfReading *first =
        description->readings->len > 0 ? description->readings->pdata[0] : NULL;
    gboolean rowed =
        tie->kind == HF_TIE_ROW || (tie->kind == HF_TIE_OF && first && (first->is || first->nth));
    return find_near(scene, description, rowed, upright ? BORROWED_UPRIGHT : BORROWED,
                     inside ? BOXED : 1, tie->kind == HF_TIE_BETWEEN ? BETWEEN_BEST : NEAR_BEST);
}

GArray *hf_anchors_find_alike(const HfScene *scene, const HfDescription *description)
{
    return find_near(scene, description, FALSE, BORROWED, BOXED, NAMED_ALIKE);
}

double hf_anchors_trust(const GArray *anchors)
{
    double score = anchors->len > 0 ? g_array_index(anchors, HfAnchor, 0).score : 0;
    if (anchors->len == 0)
        return NO_ANCHOR;
    if (score < HF_LEAST_ANCHOR)
        return NO_ANCHOR * RESEMBLING;
    return score >= HALF_SURE ? MIN(1, score + 0.1) : score;
}
