/* SPDX-License-Identifier: Apache-2.0 */
/* Rows, boxes and titles hold what belongs to them; elsewhere the nearest counts. */
#include "hand/locate/lies.h"

#include <stdlib.h>
#include <string.h>

#include "hand/atspi/selector/match-text.h"
#include "hand/atspi/tree/roles.h"
#include "hand/locate/ties-parts.h"

/* What lies somewhere else, across a corner. */
#define FAR_PX 600
/* The header of a column is so much nearer to what it is called than what stands in it. */
#define HEADER_PX 200.0
/* A doubtful anchor is as a place so much further away. */
#define DOUBT_PX 250.0

HfDirection hf_tie_direction(HfTieKind kind)
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

/* ---- how far ---- */

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

static gboolean is_of_frame(const HfThing *thing)
{
    return thing->node == HF_NODE_NONE && !thing->grouped;
}

/* A title stands above what it is the title of. */
static double below_title(const HfThing *title, const HfThing *thing)
{
    gboolean above = thing->box.y + thing->box.height <= title->box.y;
    if (title->role != HF_ROLE_PAGE_TAB && thing->box.x >= title->box.x + title->box.width &&
        overlaps(title->box.y, title->box.height, thing->box.y, thing->box.height))
        return HF_TITLE_PX + hf_proximity_gap(title->box, thing->box) / 8; /* a setting */
    return HF_TITLE_PX + hf_proximity_perceived(title->box, thing->box) +
           (above ? HF_ABOVE_TITLE_PX : 0);
}

/* Pixels; negative: it does not lie so. */
static double distance(const HfTie *tie, const HfThing *anchor, const HfThing *thing)
{
    HfDirection direction = hf_tie_direction(tie->kind);
    if (anchor->window != thing->window && anchor->window && thing->window)
        return -1;
    if (direction != HF_DIRECTION_ANY)
        return hf_proximity_from(anchor->box, thing->box, direction);
    switch (tie->kind) {
    case HF_TIE_BESIDE:
        return hf_proximity_perceived(anchor->box, thing->box);
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
               hf_proximity_gap(anchor->box, thing->box) / 8;
    case HF_TIE_COLUMN:
        return overlaps(anchor->box.x, anchor->box.width, thing->box.x, thing->box.width) ? 0 : -1;
    case HF_TIE_IN:
        if (is_of_frame(thing) && !hf_node_role_is(anchor->role, "window") &&
            !lies_in(thing->box, anchor->box))
            return -1;
        if (lies_in(thing->box, anchor->box) ||
            (are_in_one_row(anchor, thing) && !hf_node_role_is(anchor->role, "button")))
            return 0;
        return is_title(anchor) && !is_table_cell(anchor) ? below_title(anchor, thing) : -1;
    default:
        return -1;
    }
}

/* ---- to which ---- */

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

/* 第三个人前面的复选框: before or behind a row is what stands at its end. Pixels; negative: no. */
static double at_end_of_row(const HfTie *tie, const HfThing *row, const HfThing *thing)
{
    if (row->as_row == HF_NODE_NONE || thing->row != row->as_row)
        return -1;
    if (tie->kind == HF_TIE_LEFT)
        return MAX(0, thing->box.x - row->box.x);
    return tie->kind == HF_TIE_RIGHT
               ? MAX(0, row->box.x + row->box.width - thing->box.x - thing->box.width)
               : -1;
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
    if (tie->kind == HF_TIE_OF && hf_node_role_is(thing->role, "button"))
        return TRUE; /* 三条横线的按钮: it shows them itself */
    return beside && thing->text_count > 0 && thing->texts[0].of == HF_TEXT_OF_NAME &&
           hf_node_takes_label(thing->role);
}

/* "the header of the Size column" is called Size. */
static gboolean is_own_header(const HfTie *tie, const HfThing *thing, HfKind kind)
{
    gboolean said = kind == HF_KIND_HEADER || kind == HF_KIND_HEADING;
    gboolean button = said && thing->role == HF_ROLE_BUTTON;
    return (tie->kind == HF_TIE_COLUMN || (tie->kind == HF_TIE_IN && said)) &&
           (button || hf_node_role_is(thing->role, "header"));
}

/* See steppers.h. */
static gboolean is_stepper_of(const HfThing *field, const HfThing *thing)
{
    return field->node == thing->node && field->node != HF_NODE_NONE &&
           field->role == HF_ROLE_SPIN_BUTTON && thing->role == HF_ROLE_BUTTON;
}

/* The words are what the field is labelled with. */
static gboolean is_labelled(const HfTie *tie, const HfThing *label, const HfThing *thing)
{
    gboolean beside =
        tie->kind == HF_TIE_BESIDE || tie->kind == HF_TIE_RIGHT || tie->kind == HF_TIE_OF;
    beside = beside && label->text_count > 0 && hf_node_takes_label(thing->role);
    for (int i = 0; beside && i < thing->text_count; i++)
        if (thing->texts[i].of == HF_TEXT_OF_LABEL &&
            strcmp(thing->texts[i].name->normal, label->texts[0].name->normal) == 0)
            return overlaps(label->box.y, label->box.height, thing->box.y, thing->box.height);
    return FALSE;
}

HfLie hf_lie_of(const HfScene *scene, const HfTie *tie, const GArray *anchors, int index,
                const HfReading *reading)
{
    HfKind kind = reading ? reading->kind : HF_KIND_ANY;
    const HfReading *first =
        tie->anchor->readings->len > 0 ? tie->anchor->readings->pdata[0] : NULL;
    gboolean unnamed = first && first->is && !first->name; /* 打了勾的那封邮件前面的框 */
    gboolean counted = tie->kind == HF_TIE_ROW && reading && (reading->nth || unnamed);
    const HfThing *thing = hf_scene_get(scene, index);
    HfLie lie = {G_MAXDOUBLE, -1, FALSE};
    for (guint i = 0; i < anchors->len; i++) {
        const HfAnchor *anchor = &g_array_index(anchors, HfAnchor, i);
        const HfThing *other = hf_scene_get(scene, anchor->thing);
        gboolean header = anchor->thing == index && is_own_header(tie, thing, kind);
        if (header || (counted && anchor->thing == index) || is_labelled(tie, other, thing) ||
            (anchor->thing == index && is_own_label(tie, thing)) || is_stepper_of(other, thing)) {
            lie = (HfLie){header ? -HEADER_PX : 0, anchor->thing, FALSE};
            break;
        }
        double doubt = (1 - anchor->score / g_array_index(anchors, HfAnchor, 0).score) * DOUBT_PX;
        if (anchor->thing == index || hf_things_are_one(other, thing) ||
            (tie->kind != HF_TIE_IN && !is_of_row(tie, other, thing) &&
             (lies_in(other->box, thing->box) ||
              (tie->kind != HF_TIE_OF && at_end_of_row(tie, other, thing) < 0 &&
               lies_in(thing->box, other->box)))))
            continue;
        double far = at_end_of_row(tie, other, thing) >= 0 ? at_end_of_row(tie, other, thing)
                     : is_of_row(tie, other, thing) || is_below(scene, tie, other, thing) ? 0
                     : tie->kind == HF_TIE_IN && other->role == HF_ROLE_HEADING
                         ? (is_headed(scene, other, thing) ? 0 : -1)
                         : distance(tie, other, thing);
        gboolean askew = far < 0 && other->window == thing->window &&
                         is_askew(other->box, thing->box, hf_tie_direction(tie->kind));
        double cost = far >= 0 ? far + doubt
                      : askew  ? FAR_PX + hf_proximity_gap(other->box, thing->box) + doubt
                               : G_MAXDOUBLE;
        if (cost < lie.cost)
            lie = (HfLie){cost, anchor->thing, askew};
    }
    return lie;
}
