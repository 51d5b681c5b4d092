/* SPDX-License-Identifier: Apache-2.0 */
/* Relations to an anchor ("right of Name", "in the dialog"), positions and ordinals. Rows and
 * containers hold what belongs to them; elsewhere the nearest element counts. */
#include "hand/locate/description-match.h"

#include <math.h>
#include <string.h>

#include "hand/atspi/selector/match-text.h"
#include "hand/atspi/selector/proximity.h"
#include "hand/atspi/tree/roles.h"

/* Less is not an anchor; those with this part of the best score may be meant as well. */
#define LEAST_ANCHOR_SCORE 0.35
#define TIED_ANCHOR_PART   0.95
#define MOST_ANCHORS       12
/* "right of Name" means the label, and "below Name" its field as well. */
#define LABELLED_FIELD 0.7
/* Only elements with this part of the best score compete for the nearest place. */
#define COMPETING_PART 0.6
/* How the score falls with the distance from the nearest one. */
#define FURTHER_PX    40.0
#define FURTHER_LEAST 0.5
/* From here on nobody calls it near. */
#define NEAR_PX 220
/* No anchor is on the screen. */
#define NO_ANCHOR 0.5

/* ---- anchors ---- */

typedef struct Anchors {
    int elements[MOST_ANCHORS];
    int count;
    gboolean doubtful;
} Anchors;

/* All that fit about as well as the best. The name may have more words, as Anna Berg for Anna. */
static Anchors find_anchors(const HfScene *scene, const HfDescription *description,
                            gboolean vertical)
{
    Anchors anchors = {0};
    g_autofree HfElementMatch *matches = g_new0(HfElementMatch, scene->elements->len + 1);
    hf_match_elements(scene, description, matches);
    for (guint i = 0; i < scene->elements->len && description->name && !vertical; i++) {
        const HfSceneElement *element = hf_scene_get(scene, (int)i);
        if (matches[i].text < element->text_count &&
            element->texts[matches[i].text].source == HF_TEXT_SOURCE_LABEL)
            matches[i].score *= LABELLED_FIELD;
    }
    double best = hf_match_best_score(scene, matches);
    for (guint i = 0; best >= LEAST_ANCHOR_SCORE && i < scene->elements->len; i++) {
        if (matches[i].score < TIED_ANCHOR_PART * best || anchors.count == MOST_ANCHORS)
            continue;
        guint accepted = description->kind                           ? 0
                         : matches[i].name == HF_NAME_MATCH_CONTAINS ? HF_DOUBT_NAME
                         : matches[i].name == HF_NAME_MATCH_SYNONYM  ? HF_DOUBT_KIND
                                                                     : 0;
        anchors.doubtful |= (matches[i].doubts & ~accepted) != 0;
        anchors.elements[anchors.count++] = (int)i;
    }
    return anchors;
}

/* ---- one element and one anchor ---- */

static gboolean box_lies_in(HfRect inner, HfRect outer)
{
    return hf_rect_contains(outer, hf_rect_middle(inner)) &&
           (gint64)inner.width * inner.height < (gint64)outer.width * outer.height;
}

static gboolean are_in_line(const HfSceneElement *a, const HfSceneElement *b)
{
    return hf_spans_overlap(a->box.y, a->box.height, b->box.y, b->box.height);
}

static gboolean are_in_one_row(const HfSceneElement *anchor, const HfSceneElement *element)
{
    if (anchor->row != HF_NODE_NONE || anchor->as_row != HF_NODE_NONE)
        return element->row != HF_NODE_NONE &&
               (element->row == anchor->row || element->row == anchor->as_row);
    return are_in_line(anchor, element);
}

/* A heading stands for what is below it, up to the next heading. */
static gboolean is_in_section_of(const HfScene *scene, const HfSceneElement *heading,
                                 const HfSceneElement *element)
{
    int middle = hf_rect_middle(element->box).y, end = G_MAXINT;
    for (guint i = 0; i < scene->elements->len; i++) {
        const HfSceneElement *next = hf_scene_get(scene, (int)i);
        if (next->role == HF_ROLE_HEADING && next->window == heading->window &&
            next->box.y > heading->box.y &&
            hf_spans_overlap(next->box.x, next->box.width, heading->box.x, heading->box.width))
            end = MIN(end, next->box.y);
    }
    return middle > heading->box.y + heading->box.height && middle < end &&
           hf_spans_overlap(element->box.x, element->box.width, heading->box.x, heading->box.width);
}

/* By the tree, since menus open outside of their title, or by its place. */
static gboolean is_inside_anchor(const HfScene *scene, const HfSceneElement *outer,
                                 const HfSceneElement *element)
{
    if (outer->node != HF_NODE_NONE && element->node > outer->node &&
        element->node < hf_tree_end(scene->tree, outer->node))
        return TRUE;
    if (outer->role == HF_ROLE_HEADING)
        return is_in_section_of(scene, outer, element);
    return outer->container && box_lies_in(element->box, outer->box);
}

/* The words beside a field or a box are often reported only as its name. */
static gboolean has_anchor_as_label(const HfSceneElement *anchor, const HfSceneElement *element,
                                    HfRelationKind relation)
{
    gboolean box = element->role == HF_ROLE_CHECK_BOX || element->role == HF_ROLE_RADIO_BUTTON;
    gboolean beside = relation == (box ? HF_RELATION_LEFT : HF_RELATION_RIGHT) ||
                      relation == HF_RELATION_BESIDE || relation == HF_RELATION_OF;
    if (!beside || anchor->text_count == 0 || !hf_node_takes_label(element->role))
        return FALSE;
    if (anchor == element)
        return element->texts[0].source == HF_TEXT_SOURCE_NAME;
    for (int i = 0; i < element->text_count; i++)
        if (element->texts[i].source == HF_TEXT_SOURCE_LABEL && are_in_line(anchor, element) &&
            strcmp(element->texts[i].name->normal, anchor->texts[0].name->normal) == 0)
            return TRUE;
    return FALSE;
}

/* Pixels as a person feels them; negative: the element is not so related to the anchor. */
static double distance_to_anchor(const HfScene *scene, HfRelationKind relation,
                                 const HfSceneElement *anchor, const HfSceneElement *element)
{
    gboolean same_window = anchor->window == element->window || !anchor->window || !element->window;
    if (has_anchor_as_label(anchor, element, relation))
        return 0;
    if (!same_window || anchor == element || hf_scene_elements_coincide(anchor, element))
        return -1;
    if (relation == HF_RELATION_IN)
        return is_inside_anchor(scene, anchor, element) ? 0 : -1;
    if (relation == HF_RELATION_ROW)
        return are_in_one_row(anchor, element) ? 0 : -1;
    if (relation == HF_RELATION_OF)
        return is_inside_anchor(scene, anchor, element) || are_in_one_row(anchor, element)
                   ? hf_proximity_gap(anchor->box, element->box) / 8
                   : -1;
    if (box_lies_in(anchor->box, element->box) || box_lies_in(element->box, anchor->box))
        return -1;
    if (relation <= HF_RELATION_BELOW) /* the same numbers */
        return hf_proximity_from(anchor->box, element->box, (HfDirection)relation);
    double felt = hf_proximity_perceived(anchor->box, element->box);
    return felt <= NEAR_PX ? felt : -1;
}

/* ---- all elements ---- */

/* The distance of each element to its nearest anchor; G_MAXDOUBLE: related to none. A doubt is
 * noted when equally good anchors lead to different elements, but for containers. */
static double *measure_distances(const HfScene *scene, HfRelationKind relation, Anchors *anchors,
                                 HfElementMatch *matches)
{
    double best = hf_match_best_score(scene, matches);
    double *distances = g_new0(double, scene->elements->len + 1);
    int agreed = -1;
    for (guint i = 0; i < scene->elements->len; i++)
        distances[i] = G_MAXDOUBLE;
    for (int k = 0; k < anchors->count; k++) {
        double least = G_MAXDOUBLE;
        int nearest = -1;
        for (guint i = 0; i < scene->elements->len; i++) {
            double distance =
                distance_to_anchor(scene, relation, hf_scene_get(scene, anchors->elements[k]),
                                   hf_scene_get(scene, (int)i));
            if (distance >= 0 && distance < distances[i]) {
                distances[i] = distance;
                matches[i].anchor = anchors->elements[k];
            }
            if (distance >= 0 && distance < least && matches[i].score >= COMPETING_PART * best) {
                least = distance;
                nearest = (int)i;
            }
        }
        anchors->doubtful |=
            relation != HF_RELATION_IN && nearest >= 0 && agreed >= 0 && nearest != agreed;
        agreed = nearest >= 0 ? nearest : agreed;
    }
    return distances;
}

/* Elements that are counted ("the third item below Library") are all as good as the nearest. */
static void match_distances(const HfScene *scene, const double *distances, gboolean counted,
                            HfElementMatch *matches)
{
    double best = hf_match_best_score(scene, matches), least = G_MAXDOUBLE;
    for (guint i = 0; i < scene->elements->len; i++)
        if (matches[i].score >= COMPETING_PART * best)
            least = MIN(least, distances[i]);
    for (guint i = 0; i < scene->elements->len; i++) {
        gboolean related = distances[i] < G_MAXDOUBLE;
        double further = related && !counted ? MAX(0, distances[i] - least) / FURTHER_PX : 0;
        matches[i].score *=
            related ? FURTHER_LEAST + (1 - FURTHER_LEAST) * exp(-further) : HF_MATCH_ELSEWHERE;
        matches[i].doubts |= related ? 0 : HF_DOUBT_RELATION;
    }
}

void hf_match_relation(const HfScene *scene, const HfDescription *description,
                       HfElementMatch *matches)
{
    HfRelationKind relation = description->relation;
    gboolean inside =
        relation == HF_RELATION_IN || relation == HF_RELATION_OF || relation == HF_RELATION_ROW;
    Anchors anchors = find_anchors(scene, description->anchor,
                                   relation == HF_RELATION_ABOVE || relation == HF_RELATION_BELOW);
    g_autofree double *distances = measure_distances(scene, relation, &anchors, matches);
    match_distances(scene, distances, description->ordinal != 0, matches);
    if (description->position) /* "the top right button of the dialog" is within the anchor */
        hf_match_position(scene, description->position,
                          inside && anchors.count > 0
                              ? hf_scene_get(scene, anchors.elements[0])->box
                              : (HfRect){0, 0, 0, 0},
                          matches);
    for (guint i = 0; i < scene->elements->len; i++) {
        matches[i].score *= anchors.count == 0 ? NO_ANCHOR / HF_MATCH_ELSEWHERE : 1;
        if (anchors.count == 0 || anchors.doubtful ||
            (description->position && inside && anchors.count > 1))
            matches[i].doubts |= HF_DOUBT_RELATION;
    }
}

/* ---- position ---- */

/* Elements with this part of the best score are of one sort. */
#define SAME_SORT_PART 0.87
/* How fast the score falls with the distance from a position, as a part of the area. */
#define POSITION_SPREAD 0.06
/* From this part of the area on it is not at the position. */
#define FAR_FROM_POSITION 0.4
/* The distance of what is outside of the area. */
#define OUTSIDE_AREA 9
/* Scores of those that are not the nth, and of all when there are fewer. */
#define NOT_NTH         0.4
#define TOO_FEW         0.3
#define UNCERTAIN_COUNT 0.8

/* How far from one end, or from the middle, as a part of the whole; by the nearer edge. */
static double distance_from_end(int begin, int length, int at, int size, gboolean low,
                                gboolean high)
{
    double from_low = fabs((double)(at - begin) / length);
    double from_high = fabs((double)(begin + length - at - size) / length);
    return low ? from_low : high ? from_high : fabs(from_low - from_high);
}

static double distance_from_position(HfRect area, const HfSceneElement *element,
                                     HfPosition position)
{
    gboolean left = position & HF_POSITION_LEFT, right = position & HF_POSITION_RIGHT;
    gboolean top = position & HF_POSITION_TOP, bottom = position & HF_POSITION_BOTTOM;
    gboolean middle = position & HF_POSITION_MIDDLE;
    HfRect box = element->box;
    double distance = 0;
    if (!hf_rect_contains(area, hf_rect_middle(box)) || element->container)
        return OUTSIDE_AREA;
    if (left || right || (middle && !top && !bottom))
        distance += distance_from_end(area.x, area.width, box.x, box.width, left, right);
    if (top || bottom || (middle && !left && !right))
        distance += distance_from_end(area.y, area.height, box.y, box.height, top, bottom);
    return distance;
}

/* In a browser people speak of the page, if what they speak of is in it. */
static HfRect default_area(const HfScene *scene, const HfElementMatch *matches)
{
    double best = hf_match_best_score(scene, matches);
    HfRect all = scene->front;
    for (guint i = 0; i < scene->elements->len; i++) {
        HfRect box = hf_scene_get(scene, (int)i)->box;
        if (!hf_rect_is_empty(scene->page) && matches[i].score >= SAME_SORT_PART * best &&
            hf_rect_contains(scene->page, hf_rect_middle(box)))
            return scene->page;
        if (hf_rect_is_empty(scene->front))
            all = hf_rect_is_empty(all) ? box : hf_rect_unite(all, box);
    }
    return all;
}

void hf_match_position(const HfScene *scene, HfPosition position, HfRect area,
                       HfElementMatch *matches)
{
    double best = hf_match_best_score(scene, matches), least = G_MAXDOUBLE;
    g_autofree double *distances = g_new0(double, scene->elements->len + 1);
    if (hf_rect_is_empty(area))
        area = default_area(scene, matches);
    if (hf_rect_is_empty(area))
        return;
    for (guint i = 0; i < scene->elements->len; i++) {
        distances[i] = distance_from_position(area, hf_scene_get(scene, (int)i), position);
        if (matches[i].score >= SAME_SORT_PART * best)
            least = MIN(least, distances[i]);
    }
    for (guint i = 0; i < scene->elements->len; i++) {
        double further = MAX(0, distances[i] - least) / POSITION_SPREAD;
        gboolean outside = distances[i] >= OUTSIDE_AREA;
        matches[i].score *= outside ? HF_MATCH_ELSEWHERE : 0.5 + 0.5 * exp(-further);
        if (distances[i] > FAR_FROM_POSITION)
            matches[i].doubts |= HF_DOUBT_POSITION;
    }
}

/* ---- ordinal ---- */

typedef struct CountedElement {
    int element;
    HfRect box;
    int line;
} CountedElement;

static int compare_from_top(gconstpointer a, gconstpointer b)
{
    const CountedElement *left = a, *right = b;
    return left->box.y != right->box.y ? left->box.y - right->box.y : left->box.x - right->box.x;
}

static int compare_reading_order(gconstpointer a, gconstpointer b)
{
    const CountedElement *left = a, *right = b;
    return left->line != right->line ? left->line - right->line : left->box.x - right->box.x;
}

/* Line by line from the top, each from the left. Returns how many lines there are. */
static int sort_in_reading_order(GArray *counted)
{
    int line = 0;
    HfRect first = {0, 0, 0, 0};
    g_array_sort(counted, compare_from_top);
    for (guint i = 0; i < counted->len; i++) {
        CountedElement *each = &g_array_index(counted, CountedElement, i);
        if (i == 0 || !hf_spans_overlap(first.y, first.height, each->box.y, each->box.height)) {
            line++;
            first = each->box;
        }
        each->line = line;
    }
    g_array_sort(counted, compare_reading_order);
    return line;
}

/* People count what is in one line or column; elsewhere only what has the name that was said. */
static gboolean is_count_certain(const HfScene *scene, const GArray *counted, int lines,
                                 gboolean named)
{
    const HfSceneElement *first =
        counted->len > 1 ? hf_scene_get(scene, g_array_index(counted, CountedElement, 0).element)
                         : NULL;
    gboolean column = TRUE;
    for (guint i = 0; first && i < counted->len; i++) {
        const HfSceneElement *each =
            hf_scene_get(scene, g_array_index(counted, CountedElement, i).element);
        if (each->role != first->role || each->window != first->window ||
            (hf_scene_element_is_painted(each) && !named) || each->role == HF_ROLE_TABLE_ROW)
            return FALSE; /* of table rows, the header may count or not */
        column &= hf_spans_overlap(first->box.x, first->box.width, each->box.x, each->box.width);
    }
    return first && (lines == 1 || (column && lines == (int)counted->len) || named);
}

void hf_match_ordinal(const HfScene *scene, const HfDescription *description,
                      HfElementMatch *matches)
{
    double best = hf_match_best_score(scene, matches);
    g_autoptr(GArray) counted = g_array_new(FALSE, FALSE, sizeof(CountedElement));
    for (guint i = 0; best > 0 && i < scene->elements->len; i++) {
        CountedElement each = {(int)i, hf_scene_get(scene, (int)i)->box, 0};
        if (matches[i].score >= SAME_SORT_PART * best &&
            !hf_scene_has_coinciding(scene, counted, (int)i))
            g_array_append_val(counted, each);
    }
    int lines = sort_in_reading_order(counted), nth = description->ordinal;
    int at = nth > 0 ? nth - 1 : (int)counted->len + nth;
    int chosen =
        at >= 0 && at < (int)counted->len ? g_array_index(counted, CountedElement, at).element : -1;
    gboolean certain = is_count_certain(scene, counted, lines, description->name != NULL);
    for (guint i = 0; i < scene->elements->len; i++) {
        matches[i].group = (int)counted->len;
        matches[i].score *= (int)i == chosen ? (certain ? 1 : UNCERTAIN_COUNT)
                            : chosen >= 0    ? NOT_NTH
                                             : TOO_FEW;
        if ((int)i != chosen || !certain)
            matches[i].doubts |= HF_DOUBT_ORDINAL;
    }
}
