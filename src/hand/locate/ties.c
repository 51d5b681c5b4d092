/* SPDX-License-Identifier: Apache-2.0 */
/* Where things lie to each other: what lies as was said keeps its score. */
#include <math.h>
#include <stdlib.h>

#include "hand/atspi/tree/roles.h"
#include "hand/locate/lies.h"
#include "hand/locate/ties-parts.h"

/* It is just what was said not to be meant, or in it. */
#define UNWANTED       0.15
#define LEAST_UNWANTED 0.5
/* Things that are counted may be so much further away from what they belong to than the first. */
#define COUNTED_PX 60.0
/* In one direction, "the third item below Library". */
#define COUNTED_ON_PX 120.0
#define LINE_PX       12
/* Makes up for what the name of a column is worth less than that of a thing. */
#define BY_COLUMN 1.45
/* Pixels from which on nobody calls it near, and what it is worth then. */
#define NOT_NEAR_PX 220
#define NOT_NEAR    0.4
/* Around things that stand for the box that they are in. */
#define AROUND_PX 200
/* "above the table on the right": so far outside of a box, where nothing of the sort is in it. */
#define OUTSIDE_PX 48
/* Pixels at which the next one is clearly further away, and what it is worth then. */
#define FURTHER_PX 60.0
#define FURTHER    0.55
/* It stands in a line between the two, and not right between them. */
#define LOOSELY 0.85
/* It is beside what it should belong to, and as good as that. */
#define NEIGHBOUR 0.8
/* What lies in the direction across a corner. */
#define ASKEW 0.4
/* None of those that could be meant lies there: so it is said of something else. */
#define NONE_AT 0.45

/* "the price of X" names a column and a row: what is in both is called so for certain. */
static gboolean is_cell(const HfScene *scene, guint index, const HfLie *lies, const HfMark *marks)
{
    const HfThing *thing = hf_scene_get(scene, (int)index);
    return marks[index].of == HF_TEXT_OF_COLUMN && lies[index].anchor >= 0 &&
           thing->row != HF_NODE_NONE && thing->row == hf_scene_get(scene, lies[index].anchor)->row;
}

/* How much further away than the nearest those are that are counted. "the second tab above the
 * table" is one of the line next to it; items below each other get further away. */
static double further_counted(HfTieKind kind, int nth, int nearest, double least)
{
    if (kind == HF_TIE_OF || (kind == HF_TIE_IN && least >= HF_TITLE_PX))
        return COUNTED_PX;
    return hf_tie_direction(kind) != HF_DIRECTION_ANY && nearest < MAX(2, nth) ? COUNTED_ON_PX : 0;
}

/* Two buttons beside each other: neither belongs to the other. */
static gboolean are_neighbours(const HfThing *a, const HfThing *b)
{
    return hf_node_role_is(a->role, "button") && hf_node_role_is(b->role, "button") &&
           a->row == HF_NODE_NONE && b->row == HF_NODE_NONE &&
           !hf_rect_contains(a->box, hf_rect_middle(b->box));
}

/* How many stand in the line that is next. */
static int count_nearest(const HfScene *scene, const HfLie *lies, double least, double good,
                         const HfMark *marks)
{
    int first = -1, count = 0;
    for (guint i = 0; i < scene->things->len; i++) {
        if (marks[i].score < good || lies[i].anchor < 0 || lies[i].cost > least + LINE_PX)
            continue;
        first = first < 0 ? (int)i : first;
        HfRect line = hf_scene_get(scene, first)->box, box = hf_scene_get(scene, (int)i)->box;
        count += overlaps(line.y, line.height, box.y, box.height);
    }
    return count;
}

static void apply(const HfScene *scene, const HfLie *lies, double trust, HfTieKind kind, int number,
                  HfMark *marks)
{
    double most = best_score(scene, marks), least = G_MAXDOUBLE;
    for (guint i = 0; i < scene->things->len; i++)
        if (marks[i].score >= COMPETES * most && lies[i].anchor >= 0)
            least = MIN(least, lies[i].cost);
    int nearest = count_nearest(scene, lies, least, COMPETES * most, marks);
    for (guint i = 0; i < scene->things->len; i++) {
        gboolean nth = marks[i].reading && marks[i].reading->nth;
        double counted =
            nth ? further_counted(kind, abs(marks[i].reading->nth), nearest, least) : 0;
        double further = (lies[i].cost - least - counted) / FURTHER_PX;
        double factor = lies[i].anchor < 0 ? (least < G_MAXDOUBLE ? NOT_AT : NONE_AT)
                        : lies[i].askew    ? ASKEW
                        : further <= 0     ? 1
                                           : FURTHER + (0.95 - FURTHER) * exp(-further);
        if (kind == HF_TIE_BESIDE && lies[i].cost > NOT_NEAR_PX)
            factor *= NOT_NEAR;
        if (kind == HF_TIE_IN && lies[i].anchor >= 0 && lies[i].cost > HF_ABOVE_TITLE_PX)
            factor *= FURTHER;
        marks[i].score = MIN(1, marks[i].score * factor * trust *
                                    (is_cell(scene, i, lies, marks) ? BY_COLUMN : 1));
        marks[i].anchors[number] = lies[i].anchor;
        if (kind == HF_TIE_OF && lies[i].anchor >= 0 && lies[i].anchor != (int)i &&
            are_neighbours(hf_scene_get(scene, lies[i].anchor), hf_scene_get(scene, (int)i)))
            marks[i].score *= NEIGHBOUR;
        if ((kind == HF_TIE_OF || kind == HF_TIE_ROW) && lies[i].anchor >= 0 &&
            hf_node_role_is(hf_scene_get(scene, (int)i)->role, "header") &&
            hf_scene_get(scene, lies[i].anchor)->row != HF_NODE_NONE)
            marks[i].score *= PAINTED; /* what stands in its column is meant */
        if (nth && lies[i].anchor >= 0 &&
            hf_scene_get(scene, lies[i].anchor)->role == HF_ROLE_HEADING)
            marks[i].score *= PAINTED; /* where the section of a heading ends is a guess */
    }
}

static gboolean is_between(const HfThing *a, const HfThing *b, const HfThing *thing)
{
    HfPoint from = hf_rect_middle(a->box), to = hf_rect_middle(b->box);
    HfPoint at = hf_rect_middle(thing->box);
    double length = hypot(to.x - from.x, to.y - from.y);
    if (length < 1)
        return FALSE;
    double along =
        ((at.x - from.x) * (double)(to.x - from.x) + (at.y - from.y) * (double)(to.y - from.y)) /
        length;
    double off = fabs((at.x - from.x) * (double)(to.y - from.y) -
                      (at.y - from.y) * (double)(to.x - from.x)) /
                 length;
    return along > 0 && along < length && off < MAX(24, thing->box.height);
}

/* "the field between Name and E-mail", said of their labels: one of the lines between. */
static gboolean is_any_between(const HfScene *scene, const GArray *anchors, const GArray *others,
                               int index)
{
    HfRect box = hf_scene_get(scene, index)->box;
    HfRect a = anchors->len > 0
                   ? hf_scene_get(scene, g_array_index(anchors, HfAnchor, 0).thing)->box
                   : box;
    HfRect b =
        others->len > 0 ? hf_scene_get(scene, g_array_index(others, HfAnchor, 0).thing)->box : box;
    int middle = hf_rect_middle(box).y;
    HfRect upper = a.y < b.y ? a : b, lower = a.y < b.y ? b : a;
    return middle > upper.y + upper.height && middle < lower.y && box.x >= upper.x &&
           box.x - upper.x - upper.width < AROUND_PX;
}

static void tie_between(const HfScene *scene, const HfTie *tie, const GArray *anchors, int number,
                        HfMark *marks)
{
    g_autoptr(GArray) others = hf_anchors_find(scene, tie, tie->other);
    for (guint i = 0; i < scene->things->len; i++) {
        gboolean found = FALSE;
        for (guint k = 0; k < anchors->len && !found; k++)
            for (guint m = 0; m < others->len && !found; m++) {
                int a = g_array_index(anchors, HfAnchor, k).thing;
                int b = g_array_index(others, HfAnchor, m).thing;
                HfRect own = hf_scene_get(scene, (int)i)->box;
                found = a != b && a != (int)i && b != (int)i &&
                        !lies_in(hf_scene_get(scene, a)->box, own) &&
                        !lies_in(hf_scene_get(scene, b)->box, own) &&
                        is_between(hf_scene_get(scene, a), hf_scene_get(scene, b),
                                   hf_scene_get(scene, (int)i));
                marks[i].anchors[number] = found ? a : -1;
            }
        gboolean loosely = !found && is_any_between(scene, anchors, others, (int)i);
        marks[i].score *= found ? 1 : loosely ? LOOSELY : NOT_AT;
    }
}

/* Of a window it is the inside, of other things the outside. */
static gboolean means_spot(const HfScene *scene, const HfTie *tie, const GArray *anchors)
{
    if (anchors->len == 0 || hf_tie_direction(tie->kind) == HF_DIRECTION_ANY)
        return FALSE;
    int role = hf_scene_get(scene, g_array_index(anchors, HfAnchor, 0).thing)->role;
    return hf_node_role_is(role, "window") || role == HF_ROLE_DOCUMENT_WEB;
}

static HfSpot spot_for(const HfTie *tie)
{
    switch (tie->kind) {
    case HF_TIE_LEFT:
        return HF_SPOT_LEFT;
    case HF_TIE_RIGHT:
        return HF_SPOT_RIGHT;
    case HF_TIE_ABOVE:
        return HF_SPOT_TOP;
    case HF_TIE_BELOW:
        return HF_SPOT_BOTTOM;
    default:
        return tie->spot;
    }
}

/* The title bar belongs to a window. */
static HfRect area_of(const HfScene *scene, const HfThing *thing)
{
    gboolean front = thing->window == scene->front_window && !hf_rect_is_empty(scene->front);
    gboolean whole = thing->box.width * 10 >= scene->front.width * 9;
    return front && whole && hf_node_role_is(thing->role, "window") ? scene->front : thing->box;
}

static HfRect grow(HfRect area, int by)
{
    return (HfRect){area.x - by, area.y - by, area.width + 2 * by, area.height + 2 * by};
}

/* Nobody says where it ends: as far as what is named so reaches, and a little more. */
static HfRect area_around(const HfScene *scene, const GArray *anchors)
{
    HfRect area = hf_scene_get(scene, g_array_index(anchors, HfAnchor, 0).thing)->box;
    for (guint i = 1; i < anchors->len; i++)
        area = hf_rect_unite(area,
                             hf_scene_get(scene, g_array_index(anchors, HfAnchor, i).thing)->box);
    return grow(area, AROUND_PX);
}

static gboolean is_best_in(const HfScene *scene, HfRect area, const HfMark *marks)
{
    double most = best_score(scene, marks);
    for (guint i = 0; i < scene->things->len; i++)
        if (marks[i].score >= COMPETES * most &&
            hf_rect_contains(area, hf_rect_middle(hf_scene_get(scene, (int)i)->box)))
            return TRUE;
    return FALSE;
}

static void tie_spot(const HfScene *scene, const HfTie *tie, const GArray *anchors, double trust,
                     HfMark *marks)
{
    HfRect area = {0, 0, 0, 0};
    if (anchors->len > 0) {
        const HfThing *first = hf_scene_get(scene, g_array_index(anchors, HfAnchor, 0).thing);
        g_autoptr(GArray) all = hf_anchors_find_alike(scene, tie->anchor);
        area = first->area ? area_of(scene, first) : area_around(scene, all);
        if (!hf_node_role_is(first->role, "window") && !is_best_in(scene, area, marks))
            area = grow(area, OUTSIDE_PX);
    }
    hf_spot_things(scene, spot_for(tie), area, marks);
    for (guint i = 0; i < scene->things->len; i++)
        marks[i].score *= trust;
}

/* "not the window's" is not a button of its frame. */
static void tie_not(const HfScene *scene, const GArray *anchors, HfMark *marks)
{
    for (guint i = 0; i < scene->things->len; i++)
        for (guint k = 0; k < anchors->len; k++) {
            const HfAnchor *anchor = &g_array_index(anchors, HfAnchor, k);
            const HfThing *other = hf_scene_get(scene, anchor->thing);
            const HfThing *thing = hf_scene_get(scene, (int)i);
            gboolean whole = hf_node_role_is(other->role, "window");
            if (anchor->score >= LEAST_UNWANTED &&
                (whole ? thing->node == HF_NODE_NONE
                       : anchor->thing == (int)i || lies_in(thing->box, other->box))) {
                marks[i].score *= UNWANTED;
                break;
            }
        }
}

/* "in the left panel", where nobody tells of any. */
static const HfReading *find_half(const HfTie *tie)
{
    const HfReading *first =
        tie->anchor->readings->len > 0 ? tie->anchor->readings->pdata[0] : NULL;
    gboolean inside = tie->kind == HF_TIE_IN || tie->kind == HF_TIE_OF;
    return inside && first && first->spot && !first->name && first->kind == HF_KIND_PANEL ? first
                                                                                          : NULL;
}

/* "in the wallpaper row", where only the word is known, and not that it begins a row. */
static gboolean means_line(const HfScene *scene, const HfTie *tie, const GArray *anchors)
{
    const HfReading *first =
        tie->anchor->readings->len > 0 ? tie->anchor->readings->pdata[0] : NULL;
    const HfThing *best =
        anchors->len > 0 ? hf_scene_get(scene, g_array_index(anchors, HfAnchor, 0).thing) : NULL;
    return tie->kind == HF_TIE_IN && first && first->kind == HF_KIND_ROW && first->name && best &&
           best->as_row == HF_NODE_NONE && best->row == HF_NODE_NONE && !best->area;
}

void hf_tie_things(const HfScene *scene, const HfTie *tie, int number, HfMark *marks)
{
    g_autoptr(GArray) anchors = hf_anchors_find(scene, tie, tie->anchor);
    double trust = hf_anchors_trust(anchors);
    g_autofree HfLie *lies = g_new0(HfLie, scene->things->len + 1);
    if (tie->kind == HF_TIE_BETWEEN) {
        tie_between(scene, tie, anchors, number, marks);
        return;
    }
    if (tie->kind == HF_TIE_NOT) {
        tie_not(scene, anchors, marks);
        return;
    }
    gboolean known =
        anchors->len > 0 && g_array_index(anchors, HfAnchor, 0).score >= HF_LEAST_ANCHOR;
    const HfReading *half = known ? NULL : find_half(tie);
    if (half) {
        hf_half_things(scene, half->spot, marks);
        return;
    }
    if (tie->kind == HF_TIE_SPOT || means_spot(scene, tie, anchors)) {
        tie_spot(scene, tie, anchors, trust, marks);
        return;
    }
    HfTie lying = *tie;
    if (means_line(scene, tie, anchors))
        lying.kind = HF_TIE_ROW;
    for (guint i = 0; i < scene->things->len; i++)
        lies[i] = hf_lie_of(scene, &lying, anchors, (int)i, marks[i].reading);
    apply(scene, lies, trust, tie->kind, number, marks);
}
