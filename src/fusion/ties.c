/* Where things lie to each other. */
#include <math.h>
#include <stdlib.h>

#include "access/match-text.h"
#include "access/nearness.h"
#include "access/roles.h"
#include "fusion/ties-parts.h"

/* Things that may be meant as the other end of a tie, and how good one must be to be looked at. */
#define ANCHORS      12
#define LEAST_ANCHOR 0.35
#define NEAR_BEST    0.75
#define NAMED_ALIKE  0.9
#define BETWEEN_BEST 0.95
/* One that is only known by the name of another, which is there as well. */
#define BORROWED         0.7
#define BORROWED_UPRIGHT 0.97
/* A box that is called so, and does not count less for being one. */
#define BOXED 1.7
/* It is just what was said not to be meant, or in it. */
#define UNWANTED       0.15
#define LEAST_UNWANTED 0.5
/* Things that are counted may be so much further away from what they belong to than the first. */
#define COUNTED_PX 60.0
/* Makes up for what the name of a column is worth less than that of a thing. */
#define BY_COLUMN 1.45
/* Any box may be called a section. */
#define VAGUE 0.6
/* A better one is trusted a little more than it scores. */
#define HALF_SURE 0.6
/* Nothing on the screen is what it should be tied to. */
#define NO_ANCHOR 0.5
/* Pixels from which on nobody calls it near, and what it is worth then. */
#define NOT_NEAR_PX 220
#define NOT_NEAR    0.4
/* Around things that stand for the box that they are in. */
#define AROUND_PX 200
/* Pixels at which the next one is clearly further away, and what it is worth then. */
#define FURTHER_PX 60.0
#define FURTHER    0.55
/* What lies in the direction across a corner. */
#define ASKEW 0.4
/* None of those that could be meant lies there: so it is said of something else. */
#define NONE_AT 0.45
#define FAR_PX  600
/* The header of a column is so much nearer to what it is called than what stands in it. */
#define HEADER_PX 200.0
/* A doubtful anchor is as a place so much further away. */
#define DOUBT_PX 250.0
typedef struct Anchor {
    int thing;
    double score;
} Anchor;

static int compare_anchors(gconstpointer a, gconstpointer b)
{
    const Anchor *left = a, *right = b;
    return (right->score > left->score) - (right->score < left->score);
}

static gboolean is_rowed(const HfThing *thing)
{
    return thing->row != HF_NODE_NONE || thing->as_row != HF_NODE_NONE;
}

/* "the ticked file's row": what is in no row is not meant, if anything is in one. */
static void keep_rowed(const HfScene *scene, GArray *anchors)
{
    guint rowed = 0;
    for (guint i = 0; i < anchors->len; i++)
        rowed += is_rowed(hf_scene_get(scene, g_array_index(anchors, Anchor, i).thing));
    for (guint i = anchors->len; rowed > 0 && i > 0; i--)
        if (!is_rowed(hf_scene_get(scene, g_array_index(anchors, Anchor, i - 1).thing)))
            g_array_remove_index(anchors, i - 1);
}

/* Best first. */
static GArray *find_anchors_near(const HfScene *scene, const HfDescription *description,
                                 gboolean rowed, double borrow, double around, double near)
{
    GArray *anchors = g_array_new(FALSE, FALSE, sizeof(Anchor));
    g_autofree HfMark *marks = g_new0(HfMark, scene->things->len + 1);
    hf_weigh_all(scene, description, marks);
    for (guint i = 0; i < scene->things->len; i++) {
        gboolean borrowed = marks[i].of == HF_TEXT_OF_LABEL || marks[i].of == HF_TEXT_OF_COLUMN;
        gboolean boxed = hf_scene_get(scene, (int)i)->area && marks[i].reading &&
                         marks[i].reading->kind == HF_KIND_ANY &&
                         (marks[i].of != HF_TEXT_OF_CONTENTS || marks[i].how >= HF_NAME_MEANS);
        Anchor anchor = {(int)i,
                         MIN(1, marks[i].score * (borrowed ? borrow : 1) * (boxed ? around : 1))};
        if (marks[i].reading && marks[i].reading->kind == HF_KIND_PANEL && !marks[i].reading->name)
            anchor.score *= VAGUE;
        if (anchor.score >= LEAST_ANCHOR)
            g_array_append_val(anchors, anchor);
    }
    if (rowed)
        keep_rowed(scene, anchors);
    g_array_sort(anchors, compare_anchors);
    for (guint i = 1; i < anchors->len; i++)
        if (i >= ANCHORS || g_array_index(anchors, Anchor, i).score <
                                near * g_array_index(anchors, Anchor, 0).score)
            g_array_set_size(anchors, i);
    return anchors;
}

/* "Below User name" is below its field as well; what something is in, is most likely a box. */
static GArray *find_anchors(const HfScene *scene, const HfTie *tie,
                            const HfDescription *description)
{
    gboolean upright = tie->kind == HF_TIE_ABOVE || tie->kind == HF_TIE_BELOW;
    gboolean inside = tie->kind == HF_TIE_IN || tie->kind == HF_TIE_SPOT;
    const HfReading *first =
        description->readings->len > 0 ? description->readings->pdata[0] : NULL;
    gboolean rowed =
        tie->kind == HF_TIE_ROW || (tie->kind == HF_TIE_OF && first && (first->is || first->nth));
    return find_anchors_near(scene, description, rowed, upright ? BORROWED_UPRIGHT : BORROWED,
                             inside ? BOXED : 1,
                             tie->kind == HF_TIE_BETWEEN ? BETWEEN_BEST : NEAR_BEST);
}

/* ---- how far ---- */

static HfDirection direction_of(HfTieKind kind)
{
    switch (kind) {
    case HF_TIE_LEFT:
        return HF_DIRECTION_LEFT;
    case HF_TIE_RIGHT:
        return HF_DIRECTION_RIGHT;
    case HF_TIE_ABOVE:
        return HF_DIRECTION_ABOVE;
    case HF_TIE_BELOW:
        return HF_DIRECTION_BELOW;
    default:
        return HF_DIRECTION_ANY;
    }
}

/* Across a corner, but more that way than any other. */
static gboolean is_askew(HfRect anchor, HfRect rect, HfDirection direction)
{
    HfPoint a = hf_rect_middle(anchor), b = hf_rect_middle(rect);
    int across = b.x - a.x, down = b.y - a.y;
    switch (direction) {
    case HF_DIRECTION_LEFT:
        return across < 0 && -across > abs(down);
    case HF_DIRECTION_RIGHT:
        return across > 0 && across > abs(down);
    case HF_DIRECTION_ABOVE:
        return down < 0 && -down > abs(across);
    case HF_DIRECTION_BELOW:
        return down > 0 && down > abs(across) / 2;
    default:
        return FALSE;
    }
}

/* A text may stand for what is below it: "in the Account section". */
static gboolean is_title(const HfThing *thing)
{
    switch (thing->role) {
    case HF_ROLE_LABEL:
    case HF_ROLE_STATIC:
    case HF_ROLE_HEADING:
    case HF_ROLE_PARAGRAPH:
    case HF_ROLE_PAGE_TAB:
    case HF_ROLE_TABLE_CELL:
        return TRUE;
    default:
        return FALSE;
    }
}

/* "the mail from Lotte": what is in the row of her name. */
static gboolean are_in_one_row(const HfThing *a, const HfThing *b)
{
    return a->row != HF_NODE_NONE && a->row == b->row;
}

/* What is in its row is in the same, and nothing else is in it. */
static gboolean is_table_cell(const HfThing *thing)
{
    return thing->role == HF_ROLE_TABLE_CELL && thing->row != HF_NODE_NONE;
}

/* Pixels; negative: it does not lie so. */
static double distance(const HfTie *tie, const HfThing *anchor, const HfThing *thing)
{
    HfDirection direction = direction_of(tie->kind);
    if (anchor->window != thing->window && anchor->window && thing->window)
        return -1;
    if (direction != HF_DIRECTION_ANY)
        return hf_nearness_from(anchor->box, thing->box, direction);
    switch (tie->kind) {
    case HF_TIE_BESIDE:
        return hf_nearness_felt(anchor->box, thing->box);
    case HF_TIE_ROW:
        if (anchor->row != HF_NODE_NONE && anchor->row == thing->row)
            return 0;
        return overlaps(anchor->box.y, anchor->box.height, thing->box.y, thing->box.height) &&
                       anchor->row == HF_NODE_NONE
                   ? 0
                   : -1;
    case HF_TIE_OF:
        if (anchor->area && lies_in(thing->box, anchor->box))
            return 0;
        if (anchor->row != HF_NODE_NONE && anchor->row == thing->row)
            return 0;
        return (overlaps(anchor->box.y, anchor->box.height, thing->box.y, thing->box.height) &&
                        anchor->row == HF_NODE_NONE
                    ? 0
                    : 40) +
               hf_nearness_gap(anchor->box, thing->box) / 8;
    case HF_TIE_COLUMN:
        return overlaps(anchor->box.x, anchor->box.width, thing->box.x, thing->box.width) ? 0 : -1;
    case HF_TIE_IN:
        if (lies_in(thing->box, anchor->box) || are_in_one_row(anchor, thing))
            return 0;
        return is_title(anchor) && !is_table_cell(anchor)
                   ? 40 + hf_nearness_felt(anchor->box, thing->box)
                   : -1;
    default:
        return -1;
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

/* ---- ties ---- */

typedef struct Lie {
    double cost; /* G_MAXDOUBLE: it does not lie so */
    int anchor;
    gboolean askew;
} Lie;

/* From a heading to the next one is its section. */
static gboolean is_headed(const HfScene *scene, const HfThing *heading, const HfThing *thing)
{
    int middle = hf_rect_middle(thing->box).y, end = G_MAXINT;
    if (thing->window != heading->window)
        return FALSE;
    for (guint i = 0; i < scene->things->len; i++) {
        const HfThing *next = hf_scene_get(scene, (int)i);
        if (next->role == HF_ROLE_HEADING && next->window == heading->window &&
            next->box.y > heading->box.y &&
            overlaps(next->box.x, next->box.width, heading->box.x, heading->box.width))
            end = MIN(end, next->box.y);
    }
    return middle > heading->box.y + heading->box.height && middle < end &&
           overlaps(thing->box.x, thing->box.width, heading->box.x, heading->box.width);
}

/* What is in a row belongs to it, as what is beside a text does. */
static gboolean is_of_row(const HfTie *tie, const HfThing *row, const HfThing *thing)
{
    return (tie->kind == HF_TIE_OF || tie->kind == HF_TIE_ROW) && thing->row != HF_NODE_NONE &&
           thing->row == row->as_row;
}

/* Menus open outside of their title: what is in something by the tree is in it. */
static gboolean is_below(const HfScene *scene, const HfTie *tie, const HfThing *outer,
                         const HfThing *thing)
{
    return tie->kind == HF_TIE_IN && outer->node != HF_NODE_NONE && thing->node > outer->node &&
           thing->node < hf_tree_end(scene->tree, outer->node);
}

/* The words beside a box or a field are often told as its name alone. */
static gboolean is_own_label(const HfTie *tie, const HfThing *thing)
{
    gboolean box = thing->role == HF_ROLE_CHECK_BOX || thing->role == HF_ROLE_RADIO_BUTTON;
    gboolean beside = tie->kind == (box ? HF_TIE_LEFT : HF_TIE_RIGHT) ||
                      tie->kind == HF_TIE_BESIDE || tie->kind == HF_TIE_OF;
    return beside && thing->text_count > 0 && thing->texts[0].of == HF_TEXT_OF_NAME &&
           hf_node_takes_label(thing->role);
}

/* "the header of the Size column" is called Size. */
static gboolean is_own_header(const HfTie *tie, const HfThing *thing)
{
    return tie->kind == HF_TIE_COLUMN && hf_node_role_is(thing->role, "header");
}

/* See steppers.h. */
static gboolean is_stepper_of(const HfThing *field, const HfThing *thing)
{
    return field->node == thing->node && field->node != HF_NODE_NONE &&
           field->role == HF_ROLE_SPIN_BUTTON && thing->role == HF_ROLE_BUTTON;
}

static Lie lie_of(const HfScene *scene, const HfTie *tie, const GArray *anchors, int index)
{
    const HfThing *thing = hf_scene_get(scene, index);
    Lie lie = {G_MAXDOUBLE, -1, FALSE};
    for (guint i = 0; i < anchors->len; i++) {
        const Anchor *anchor = &g_array_index(anchors, Anchor, i);
        const HfThing *other = hf_scene_get(scene, anchor->thing);
        gboolean header = anchor->thing == index && is_own_header(tie, thing);
        if (header || (anchor->thing == index && is_own_label(tie, thing)) ||
            is_stepper_of(other, thing)) {
            lie = (Lie){header ? -HEADER_PX : 0, anchor->thing, FALSE};
            break;
        }
        double doubt = (1 - anchor->score / g_array_index(anchors, Anchor, 0).score) * DOUBT_PX;
        if (anchor->thing == index || hf_things_are_one(other, thing) ||
            (tie->kind != HF_TIE_IN && !is_of_row(tie, other, thing) &&
             (lies_in(other->box, thing->box) ||
              (tie->kind != HF_TIE_OF && lies_in(thing->box, other->box)))))
            continue;
        double far = is_of_row(tie, other, thing) || is_below(scene, tie, other, thing) ? 0
                     : tie->kind == HF_TIE_IN && other->role == HF_ROLE_HEADING
                         ? (is_headed(scene, other, thing) ? 0 : -1)
                         : distance(tie, other, thing);
        gboolean askew = far < 0 && other->window == thing->window &&
                         is_askew(other->box, thing->box, direction_of(tie->kind));
        double cost = far >= 0 ? far + doubt
                      : askew  ? FAR_PX + hf_nearness_gap(other->box, thing->box) + doubt
                               : G_MAXDOUBLE;
        if (cost < lie.cost)
            lie = (Lie){cost, anchor->thing, askew};
    }
    return lie;
}

/* "the price of X" names a column and a row: what is in both is called so for certain. */
static gboolean is_cell(const HfScene *scene, guint index, const Lie *lies, const HfMark *marks)
{
    const HfThing *thing = hf_scene_get(scene, (int)index);
    return marks[index].of == HF_TEXT_OF_COLUMN && lies[index].anchor >= 0 &&
           thing->row != HF_NODE_NONE && thing->row == hf_scene_get(scene, lies[index].anchor)->row;
}

static void apply(const HfScene *scene, const Lie *lies, double trust, HfTieKind kind, int number,
                  HfMark *marks)
{
    double most = best_score(scene, marks), least = G_MAXDOUBLE;
    for (guint i = 0; i < scene->things->len; i++)
        if (marks[i].score >= COMPETES * most && lies[i].anchor >= 0)
            least = MIN(least, lies[i].cost);
    for (guint i = 0; i < scene->things->len; i++) {
        gboolean nth = marks[i].reading && marks[i].reading->nth;
        double counted = nth && kind == HF_TIE_OF ? COUNTED_PX : 0;
        double further = (lies[i].cost - least - counted) / FURTHER_PX;
        double factor = lies[i].anchor < 0 ? (least < G_MAXDOUBLE ? NOT_AT : NONE_AT)
                        : lies[i].askew    ? ASKEW
                        : further <= 0     ? 1
                                           : FURTHER + (0.95 - FURTHER) * exp(-further);
        if (kind == HF_TIE_BESIDE && lies[i].cost > NOT_NEAR_PX)
            factor *= NOT_NEAR;
        marks[i].score = MIN(1, marks[i].score * factor * trust *
                                    (is_cell(scene, i, lies, marks) ? BY_COLUMN : 1));
        marks[i].anchors[number] = lies[i].anchor;
        if (nth && lies[i].anchor >= 0 &&
            hf_scene_get(scene, lies[i].anchor)->role == HF_ROLE_HEADING)
            marks[i].score *= PAINTED; /* where the section of a heading ends is a guess */
    }
}

static void tie_between(const HfScene *scene, const HfTie *tie, const GArray *anchors, int number,
                        HfMark *marks)
{
    g_autoptr(GArray) others = find_anchors(scene, tie, tie->other);
    for (guint i = 0; i < scene->things->len; i++) {
        gboolean found = FALSE;
        for (guint k = 0; k < anchors->len && !found; k++)
            for (guint m = 0; m < others->len && !found; m++) {
                int a = g_array_index(anchors, Anchor, k).thing;
                int b = g_array_index(others, Anchor, m).thing;
                found = a != (int)i && b != (int)i &&
                        is_between(hf_scene_get(scene, a), hf_scene_get(scene, b),
                                   hf_scene_get(scene, (int)i));
                marks[i].anchors[number] = found ? a : -1;
            }
        marks[i].score *= found ? 1 : NOT_AT;
    }
}

/* Of a window it is the inside, of other things the outside. */
static gboolean means_spot(const HfScene *scene, const HfTie *tie, const GArray *anchors)
{
    if (anchors->len == 0 || direction_of(tie->kind) == HF_DIRECTION_ANY)
        return FALSE;
    int role = hf_scene_get(scene, g_array_index(anchors, Anchor, 0).thing)->role;
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

/* Nobody says where it ends: as far as what is named so reaches, and a little more. */
static HfRect area_around(const HfScene *scene, const GArray *anchors)
{
    HfRect area = hf_scene_get(scene, g_array_index(anchors, Anchor, 0).thing)->box;
    for (guint i = 1; i < anchors->len; i++)
        area =
            hf_rect_unite(area, hf_scene_get(scene, g_array_index(anchors, Anchor, i).thing)->box);
    return (HfRect){area.x - AROUND_PX, area.y - AROUND_PX, area.width + 2 * AROUND_PX,
                    area.height + 2 * AROUND_PX};
}

static void tie_spot(const HfScene *scene, const HfTie *tie, const GArray *anchors, double trust,
                     HfMark *marks)
{
    HfRect area = {0, 0, 0, 0};
    if (anchors->len > 0) {
        const HfThing *first = hf_scene_get(scene, g_array_index(anchors, Anchor, 0).thing);
        g_autoptr(GArray) all =
            find_anchors_near(scene, tie->anchor, FALSE, BORROWED, BOXED, NAMED_ALIKE);
        area = first->area ? area_of(scene, first) : area_around(scene, all);
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
            const Anchor *anchor = &g_array_index(anchors, Anchor, k);
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

static double trust_in(double score)
{
    return score >= HALF_SURE ? MIN(1, score + 0.1) : score;
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

void hf_tie_things(const HfScene *scene, const HfTie *tie, int number, HfMark *marks)
{
    g_autoptr(GArray) anchors = find_anchors(scene, tie, tie->anchor);
    double trust = anchors->len > 0 ? trust_in(g_array_index(anchors, Anchor, 0).score) : NO_ANCHOR;
    g_autofree Lie *lies = g_new0(Lie, scene->things->len + 1);
    if (tie->kind == HF_TIE_BETWEEN) {
        tie_between(scene, tie, anchors, number, marks);
        return;
    }
    if (tie->kind == HF_TIE_NOT) {
        tie_not(scene, anchors, marks);
        return;
    }
    const HfReading *half = anchors->len == 0 ? find_half(tie) : NULL;
    if (half) {
        hf_half_things(scene, half->spot, marks);
        return;
    }
    if (tie->kind == HF_TIE_SPOT || means_spot(scene, tie, anchors)) {
        tie_spot(scene, tie, anchors, trust, marks);
        return;
    }
    for (guint i = 0; i < scene->things->len; i++)
        lies[i] = lie_of(scene, tie, anchors, (int)i);
    apply(scene, lies, trust, tie->kind, number, marks);
}
