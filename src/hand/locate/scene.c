/* SPDX-License-Identifier: Apache-2.0 */
/* Things of a tree. Boxes that tell nothing are left out, and so is the text on a button, which the
 * button is called already. */
#include "hand/locate/scene.h"

#include <string.h>

#include "hand/atspi/selector/match-text.h"
#include "hand/atspi/selector/proximity.h"
#include "hand/atspi/tree/element-fingerprint.h"
#include "hand/atspi/tree/roles.h"
#include "hand/atspi/tree/states.h"
#include "hand/locate/boxes.h"
#include "hand/locate/cards.h"
#include "hand/locate/closers.h"
#include "hand/locate/columns.h"
#include "hand/locate/expanders.h"
#include "hand/locate/families.h"
#include "hand/locate/grounds.h"
#include "hand/locate/labels.h"
#include "hand/locate/locate-limits.h"
#include "hand/locate/scene-windows.h"
#include "hand/locate/steppers.h"
#include "hand/locate/swatches.h"
#include "hand/pixels/shapes/symbol-classifier.h"

/* What a text is worth that is not the thing's own name. */
static const double worth_of[HF_TEXT_OF_COUNT] = {
    [HF_TEXT_OF_NAME] = 1,        [HF_TEXT_OF_DESCRIPTION] = 0.96, [HF_TEXT_OF_VALUE] = 0.8,
    [HF_TEXT_OF_LABEL] = 0.97,    [HF_TEXT_OF_COLUMN] = 0.8,       [HF_TEXT_OF_LOOKS] = 0.9,
    [HF_TEXT_OF_CONTENTS] = 0.85,
};
/* What is chosen in a list that drops down is all that can be read of it. */
#define CHOSEN 0.95
/* Words of a line further apart than so many times its height are on different things. */
#define APART 1.3
/* Larger than any symbol in a tool bar. */
#define CAPTIONED_PX 44
/* Larger is a box for others. */
#define BARE_PX 64
/* What is ticked to choose a row stands at its beginning. */
#define FIRST_PX 64
/* A drawing so near to a slider or a field says what it is for. */
#define SIGN_PX 24
#define OF_SIGN 0.7
/* Larger is no symbol; how many guesses are kept; less likely is none. A symbol that is as good as
 * certain is worth as much as other words, and a doubtful one is never enough by itself. */
#define SYMBOL_PX        64
#define GUESSES          3
#define LEAST_LIKELIHOOD 0.05
#define DOUBTFUL_SYMBOL  0.5
/* From here on it is taken for a symbol, unless what it was read as is as certain. */
#define SURE_SYMBOL 0.8
#define SURE_LETTER 0.85
/* A wider word for it: an arrow, whichever way it points. */
#define WIDER_WORD 0.85

static void thing_clear(gpointer data)
{
    HfThing *thing = data;
    for (int i = 0; i < thing->text_count; i++)
        hf_name_free(thing->texts[i].name);
}

void hf_scene_free(HfScene *scene)
{
    if (!scene)
        return;
    g_array_unref(scene->things);
    g_free(scene);
}

static void add_text_worth(HfThing *thing, const char *text, HfTextOf of, double worth)
{
    if (!text || !*text || thing->text_count == HF_THING_TEXTS)
        return;
    int at = thing->text_count++;
    thing->texts[at].name = hf_name_new(text);
    thing->texts[at].worth = worth;
    thing->texts[at].of = of;
}

void hf_thing_add_text(HfThing *thing, const char *text, HfTextOf of)
{
    add_text_worth(thing, text, of, worth_of[of]);
}

/* ---- which nodes are things ---- */

static gboolean clips(int role)
{
    return role == HF_ROLE_SCROLL_PANE || role == HF_ROLE_VIEWPORT ||
           role == HF_ROLE_DOCUMENT_WEB || hf_node_role_is(role, "window");
}

static HfRect visible_part(const HfTree *tree, int index)
{
    HfRect area = hf_tree_get(tree, index)->bounds;
    for (int at = hf_tree_get(tree, index)->parent; at != HF_NODE_NONE && !hf_rect_is_empty(area);
         at = hf_tree_get(tree, at)->parent) {
        const HfNode *outer = hf_tree_get(tree, at);
        if (clips(outer->role) && !hf_rect_is_empty(outer->bounds) && !outer->pops_up)
            area = hf_rect_intersect(area, outer->bounds);
        if (hf_tree_get(tree, index)->pops_up)
            break;
    }
    return area;
}

static gboolean holds_others(int role)
{
    switch (role) {
    case HF_ROLE_INVALID:
    case HF_ROLE_FILLER:
    case HF_ROLE_PANEL:
    case HF_ROLE_SCROLL_PANE:
    case HF_ROLE_VIEWPORT:
    case HF_ROLE_SECTION:
    case HF_ROLE_GROUPING:
    case HF_ROLE_REDUNDANT_OBJECT:
    case HF_ROLE_UNKNOWN:
    case HF_ROLE_TOOL_BAR:
    case HF_ROLE_MENU_BAR:
    case HF_ROLE_STATUS_BAR:
    case HF_ROLE_LIST:
    case HF_ROLE_LIST_BOX:
    case HF_ROLE_TABLE:
    case HF_ROLE_TREE:
    case HF_ROLE_TREE_TABLE:
    case HF_ROLE_TABLE_ROW:
    case HF_ROLE_PAGE_TAB_LIST:
    case HF_ROLE_DOCUMENT_WEB:
    case HF_ROLE_APPLICATION:
    case HF_ROLE_SEPARATOR:
    case HF_ROLE_SCROLL_BAR:
        return TRUE;
    default:
        return hf_node_role_is(role, "window") || role == hf_node_role_from_name("form") ||
               role == hf_node_role_from_name("landmark") ||
               role == hf_node_role_from_name("split-pane") ||
               role == hf_node_role_from_name("article");
    }
}

static gboolean is_text(const HfNode *node)
{
    return (node->role == HF_ROLE_STATIC || node->role == HF_ROLE_LABEL) && node->name &&
           *node->name;
}

/* The only text in a box of a page, which is an entry, a tab or a button that does not say so.
 * HF_NODE_NONE: it holds something else. */
static int find_only_text(const HfTree *tree, int index)
{
    const HfNode *node = hf_tree_get(tree, index);
    int found = HF_NODE_NONE;
    if ((node->role != HF_ROLE_SECTION && node->role != HF_ROLE_PANEL) ||
        !(node->source & HF_SOURCE_DOM) || node->bounds.height > BARE_PX)
        return HF_NODE_NONE;
    for (int at = node->first_child; at != HF_NODE_NONE; at = hf_tree_get(tree, at)->next_sibling) {
        const HfNode *child = hf_tree_get(tree, at);
        if (child->role == HF_ROLE_IMAGE && !child->name)
            continue;
        if (found != HF_NODE_NONE || !is_text(child))
            return HF_NODE_NONE;
        found = at;
    }
    return found;
}

/* A text that the thing around it is called. */
static gboolean is_inscription(const HfTree *tree, int index)
{
    const HfNode *node = hf_tree_get(tree, index);
    if (!hf_node_shows_text(node->role) && node->role != HF_ROLE_IMAGE)
        return FALSE;
    int at = node->parent;
    if (at != HF_NODE_NONE && find_only_text(tree, at) == index)
        return TRUE;
    for (int i = 0; i < 3 && at != HF_NODE_NONE; i++, at = hf_tree_get(tree, at)->parent) {
        const HfNode *outer = hf_tree_get(tree, at);
        if (!hf_node_known_by_content(outer->role) && outer->role != HF_ROLE_CHECK_BOX &&
            outer->role != HF_ROLE_RADIO_BUTTON && outer->role != HF_ROLE_HEADING)
            continue;
        g_autofree char *called = hf_node_dup_display_name(tree, at);
        if (!node->name || !*node->name || (called && strstr(called, node->name)))
            return outer->role != HF_ROLE_TABLE_ROW && outer->role != HF_ROLE_LIST_ITEM &&
                   outer->role != HF_ROLE_TREE_ITEM;
    }
    return FALSE;
}

static gboolean is_row(int role)
{
    return role == HF_ROLE_TABLE_ROW || role == HF_ROLE_LIST_ITEM || role == HF_ROLE_TREE_ITEM ||
           role == hf_node_role_from_name("article");
}

static int find_row(const HfTree *tree, int index)
{
    for (int at = hf_tree_get(tree, index)->parent; at != HF_NODE_NONE;
         at = hf_tree_get(tree, at)->parent)
        if (is_row(hf_tree_get(tree, at)->role))
            return at;
    return HF_NODE_NONE;
}

/* Qt names the row of tabs by the one that shows. */
static gboolean is_current_tab(const HfTree *tree, const HfNode *node)
{
    if (node->role != HF_ROLE_PAGE_TAB || node->parent == HF_NODE_NONE || !node->name)
        return FALSE;
    const HfNode *tabs = hf_tree_get(tree, node->parent);
    return tabs->role == HF_ROLE_PAGE_TAB_LIST && g_strcmp0(tabs->name, node->name) == 0;
}

/* A small box with nothing in it holds nothing: pages make switches of such. */
static gboolean is_bare(const HfNode *node, HfRect box)
{
    return (node->role == HF_ROLE_SECTION || node->role == HF_ROLE_PANEL) &&
           node->first_child == HF_NODE_NONE && box.width <= BARE_PX && box.height <= BARE_PX;
}

/* Pages make buttons of texts, and tell nobody. */
static gboolean is_loose(const HfNode *node)
{
    if (hf_node_is_painted(node))
        return node->role == HF_ROLE_LABEL;
    return (node->source & HF_SOURCE_DOM) &&
           (node->role == HF_ROLE_STATIC || node->role == HF_ROLE_LABEL ||
            node->role == HF_ROLE_PARAGRAPH);
}

/* A file in a folder, told as a picture with its caption. */
static gboolean is_captioned(const HfNode *node)
{
    return node->role == HF_ROLE_ICON && !hf_node_is_painted(node) &&
           MIN(node->bounds.width, node->bounds.height) >= CAPTIONED_PX;
}

static gboolean is_opened(const HfTree *tree, const HfNode *node)
{
    return node->role == HF_ROLE_MENU && node->first_child != HF_NODE_NONE &&
           hf_tree_is_visible(tree, node->first_child);
}

static HfThing thing_of(const HfTree *tree, int index, HfRect box)
{
    const HfNode *node = hf_tree_get(tree, index);
    return (HfThing){.node = index,
                     .role = node->role,
                     .states = node->states,
                     .box = box,
                     .window = node->window,
                     .source = node->source,
                     .read = node->confidence > 0 ? node->confidence : 1,
                     .row = find_row(tree, index),
                     .as_row = is_row(node->role) || is_captioned(node) ? index : HF_NODE_NONE,
                     .area = (holds_others(node->role) && !is_bare(node, box)) ||
                             (node->role == HF_ROLE_MENU && box.height > BARE_PX),
                     .loose = is_loose(node),
                     .opened = is_opened(tree, node),
                     .has_value = node->value && *node->value,
                     .current = is_current_tab(tree, node)};
}

/* ---- lines that were read ---- */

static gboolean begins_anew(const HfNodePart *before, const HfNodePart *part)
{
    int gap = part->bounds.x - (before->bounds.x + before->bounds.width);
    return gap > APART * MAX(before->bounds.height, part->bounds.height);
}

/* One for each group of words that stand together. */
static void add_painted(HfScene *scene, const HfNode *node, int index)
{
    int begin = 0;
    for (int i = 1; i <= node->part_count; i++) {
        if (i < node->part_count && !begins_anew(&node->parts[i - 1], &node->parts[i]))
            continue;
        HfRect box = node->parts[begin].bounds;
        for (int k = begin + 1; k < i; k++)
            box = hf_rect_unite(box, node->parts[k].bounds);
        HfThing thing = thing_of(scene->tree, index, box);
        g_autofree char *text =
            g_strndup(node->name + node->parts[begin].begin,
                      (gsize)(node->parts[i - 1].end - node->parts[begin].begin));
        hf_thing_add_text(&thing, text, HF_TEXT_OF_NAME);
        g_array_append_val(scene->things, thing);
        begin = i;
    }
}

/* ---- texts ---- */

static void add_texts(HfThing *thing, const HfTree *tree)
{
    const HfNode *node = hf_tree_get(tree, thing->node);
    g_autofree char *called = hf_node_dup_display_name(tree, thing->node);
    hf_thing_add_text(thing, called, HF_TEXT_OF_NAME);
    if (g_strcmp0(node->description, called) != 0)
        hf_thing_add_text(thing, node->description, HF_TEXT_OF_DESCRIPTION);
    if (node->role == hf_node_role_from_name("date-editor"))
        hf_thing_add_text(thing, "date", HF_TEXT_OF_DESCRIPTION);
    if (node->secure)
        hf_thing_add_text(thing, "password", HF_TEXT_OF_DESCRIPTION);
    else if (node->value && strlen(node->value) < 200 && g_strcmp0(node->value, called) != 0)
        add_text_worth(thing, node->value, HF_TEXT_OF_VALUE,
                       node->role == HF_ROLE_COMBO_BOX ? CHOSEN : worth_of[HF_TEXT_OF_VALUE]);
}

static void add_node(HfScene *scene, int index)
{
    const HfNode *node = hf_tree_get(scene->tree, index);
    HfRect box = visible_part(scene->tree, index);
    if (hf_rect_is_empty(box) || is_inscription(scene->tree, index))
        return;
    if (node->part_count > 0 && hf_node_is_painted(node)) {
        add_painted(scene, node, index);
        return;
    }
    HfThing thing = thing_of(scene->tree, index, box);
    add_texts(&thing, scene->tree);
    if (thing.role == HF_ROLE_STATUS_BAR && thing.text_count > 0)
        thing.area = FALSE; /* it is pointed at for what it says */
    int text = find_only_text(scene->tree, index);
    if (text != HF_NODE_NONE) {
        thing.area = FALSE;
        thing.loose = TRUE;
        if (thing.text_count == 0)
            hf_thing_add_text(&thing, hf_tree_get(scene->tree, text)->name, HF_TEXT_OF_NAME);
    }
    g_array_append_val(scene->things, thing);
}

static gboolean is_one_letter(const HfThing *thing)
{
    return thing->text_count > 0 && g_utf8_strlen(thing->texts[0].name->compact, -1) <= 1;
}

/* A letter is where its stroke was read; what was painted there may be more. */
static HfRect drawing_of(const HfScene *scene, const HfThing *thing)
{
    const HfNode *node = hf_tree_get(scene->tree, thing->node);
    gboolean alone = hf_thing_is_painted(thing) && thing->role == HF_ROLE_LABEL;
    return alone && node->part_count == 1 ? node->bounds : thing->box;
}

/* What has no name may show what it is for; and so may what has one, if there is no room for it. */
static gboolean may_be_symbol(const HfThing *thing, HfRect box)
{
    int longer = MAX(box.width, box.height), shorter = MIN(box.width, box.height);
    gboolean named = FALSE;
    for (int i = 0; i < thing->text_count; i++)
        named |= thing->texts[i].of <= HF_TEXT_OF_DESCRIPTION;
    if (thing->area || longer > SYMBOL_PX || (named && longer * 2 > shorter * 3))
        return FALSE;
    if (hf_thing_is_painted(thing)) /* a floppy looks like a box, and three lines like a letter */
        return thing->role != HF_ROLE_LABEL || is_one_letter(thing);
    return thing->role == HF_ROLE_ICON || thing->role == HF_ROLE_IMAGE ||
           (thing->role == HF_ROLE_TABLE_CELL && !named) || thing->role == HF_ROLE_LINK ||
           hf_node_role_is(thing->role, "button");
}

/* Readers make letters of drawings. */
static void take_for_icon(HfThing *thing, HfRect box)
{
    if (!hf_thing_is_painted(thing) || thing->role != HF_ROLE_LABEL || thing->read >= SURE_LETTER)
        return;
    hf_name_free(thing->texts[0].name);
    thing->text_count--;
    memmove(thing->texts, thing->texts + 1, (gsize)thing->text_count * sizeof *thing->texts);
    thing->role = HF_ROLE_ICON;
    thing->box = box;
}

static void add_symbol(HfThing *thing, const HfSymbolGuess *guess)
{
    double worth =
        worth_of[HF_TEXT_OF_LOOKS] * (DOUBTFUL_SYMBOL + (1 - DOUBTFUL_SYMBOL) * guess->likelihood);
    add_text_worth(thing, guess->name, HF_TEXT_OF_LOOKS, worth);
    add_text_worth(thing, guess->also, HF_TEXT_OF_LOOKS, worth * WIDER_WORD);
}

static void give_looks(HfScene *scene, const HfSceneScope *scope)
{
    for (guint i = 0; scope->picture && i < scene->things->len; i++) {
        HfThing *thing = &g_array_index(scene->things, HfThing, i);
        HfSymbolGuess guesses[GUESSES];
        HfRect place = drawing_of(scene, thing);
        if (!may_be_symbol(thing, place))
            continue;
        HfRect box = {place.x - scope->picture_area.x, place.y - scope->picture_area.y, place.width,
                      place.height};
        gboolean framed = !hf_thing_is_painted(thing) && thing->role != HF_ROLE_IMAGE;
        int count = hf_symbols_guess(scope->picture, box, framed, guesses, GUESSES);
        if (count > 0 && guesses[0].likelihood >= SURE_SYMBOL)
            take_for_icon(thing, place);
        gboolean ticks = hf_thing_is_painted(thing) && thing->role == HF_ROLE_CHECK_BOX;
        for (int k = 0; k < count && guesses[k].likelihood >= LEAST_LIKELIHOOD; k++)
            if (!ticks || strcmp(guesses[k].name, "check") == 0)
                add_symbol(thing, &guesses[k]);
    }
}

/* A slider beside a loudspeaker is that of the volume. */
static void give_signs(HfScene *scene)
{
    for (guint i = 0; i < scene->things->len; i++) {
        HfThing *thing = &g_array_index(scene->things, HfThing, i);
        if (thing->role != HF_ROLE_SLIDER && thing->role != HF_ROLE_ENTRY)
            continue;
        for (guint k = 0; k < scene->things->len; k++) {
            const HfThing *sign = hf_scene_get(scene, (int)k);
            int gap = thing->box.x - (sign->box.x + sign->box.width);
            int text = sign->text_count - 1;
            if (sign->window == thing->window && !sign->area && gap >= -SIGN_PX && gap <= SIGN_PX &&
                sign->box.x < thing->box.x && text >= 0 &&
                sign->texts[text].of == HF_TEXT_OF_LOOKS &&
                hf_rect_contains(sign->box, (HfPoint){hf_rect_middle(sign->box).x,
                                                      hf_rect_middle(thing->box).y})) {
                int first =
                    text > 0 && sign->texts[text - 1].of == HF_TEXT_OF_LOOKS ? text - 1 : text;
                add_text_worth(thing, sign->texts[first].name->text, HF_TEXT_OF_LABEL, OF_SIGN);
            }
        }
    }
}

static gboolean are_one_column(const HfThing *a, const HfThing *b)
{
    return a->role == HF_ROLE_TABLE_CELL && b->role == HF_ROLE_TABLE_CELL &&
           a->window == b->window && a->box.x == b->box.x && a->box.width == b->box.width;
}

/* GTK 3 tells of no boxes in a table, but whether a cell is ticked: so are others in its column. */
static void note_ticking_cells(HfScene *scene)
{
    for (guint i = 0; i < scene->things->len; i++) {
        const HfThing *ticked = hf_scene_get(scene, (int)i);
        if (ticked->role != HF_ROLE_TABLE_CELL || !hf_states_have(ticked->states, HF_STATE_CHECKED))
            continue;
        for (guint k = 0; k < scene->things->len; k++) {
            HfThing *cell = &g_array_index(scene->things, HfThing, k);
            cell->ticks |= are_one_column(ticked, cell);
        }
    }
}

/* A row whose box is ticked is a ticked row. */
static void note_ticked_rows(HfScene *scene)
{
    for (guint i = 0; i < scene->things->len; i++) {
        const HfThing *box = hf_scene_get(scene, (int)i);
        if ((box->role != HF_ROLE_CHECK_BOX && !box->ticks) || box->row == HF_NODE_NONE ||
            !hf_states_have(box->states, HF_STATE_CHECKED))
            continue;
        for (guint k = 0; k < scene->things->len; k++) {
            HfThing *row = &g_array_index(scene->things, HfThing, k);
            row->current |= row->as_row == box->row && box->box.x - row->box.x <= FIRST_PX;
        }
    }
}

/* What is not meant to be looked at, and what is in front. */
static void limit(HfScene *scene, const HfSceneScope *scope)
{
    for (guint i = scene->things->len; i > 0; i--) {
        HfThing *thing = &g_array_index(scene->things, HfThing, i - 1);
        thing->behind = scope->front && thing->window && thing->window != scope->front;
        if (!hf_rect_is_empty(scope->region) &&
            !hf_rect_contains(scope->region, hf_rect_middle(thing->box)))
            g_array_remove_index(scene->things, i - 1);
    }
}

HfScene *hf_scene_new(const HfTree *tree, const HfSceneScope *scope)
{
    HfScene *scene = g_new0(HfScene, 1);
    scene->tree = tree;
    scene->front_window = scope->front;
    scene->picture = scope->picture;
    scene->picture_area = scope->picture_area;
    scene->things = g_array_new(FALSE, FALSE, sizeof(HfThing));
    g_array_set_clear_func(scene->things, thing_clear);
    for (int i = 0; i < hf_tree_size(tree) && scene->things->len < HF_LIMIT_SCENE_THINGS; i++)
        if (hf_tree_is_visible(tree, i))
            add_node(scene, i);
    hf_labels_note(scene);
    hf_columns_note(scene);
    give_looks(scene, scope);
    give_signs(scene);
    hf_boxes_note(scene);
    hf_swatches_note(scene);
    hf_steppers_note(scene);
    hf_expanders_note(scene);
    note_ticking_cells(scene);
    hf_closers_note(scene);
    hf_families_note(scene);
    hf_cards_note(scene);
    note_ticked_rows(scene);
    if (scope->picture)
        hf_grounds_note(scene, scope->picture, scope->picture_area);
    hf_scene_add_frames(scene, scope);
    hf_scene_note_pages(scene);
    limit(scene, scope);
    return scene;
}

HfThing hf_thing_part(const HfThing *whole, HfRect box)
{
    HfThing part = *whole;
    part.role = HF_ROLE_BUTTON;
    part.box = box;
    part.part = TRUE;
    part.row = whole->as_row != HF_NODE_NONE ? whole->as_row : whole->row;
    part.as_row = HF_NODE_NONE;
    part.text_count = 0;
    return part;
}

gboolean hf_things_are_one(const HfThing *a, const HfThing *b)
{
    HfRect common = hf_rect_intersect(a->box, b->box);
    gint64 both = (gint64)common.width * common.height;
    gint64 smaller =
        MIN((gint64)a->box.width * a->box.height, (gint64)b->box.width * b->box.height);
    if (a->area || b->area || both * 10 < smaller * 9)
        return FALSE;
    return hf_rect_contains(a->box, hf_rect_middle(b->box)) &&
           hf_rect_contains(b->box, hf_rect_middle(a->box));
}
