/* SPDX-License-Identifier: Apache-2.0 */
/* Builds the list from the tree. The text on a button is left out: it is the button's name. */
#include "hand/locate/scene.h"

#include <string.h>

#include "hand/atspi/selector/match-text.h"
#include "hand/atspi/selector/proximity.h"
#include "hand/atspi/tree/element-fingerprint.h"
#include "hand/atspi/tree/roles.h"
#include "hand/locate/element-resolver.h"
#include "hand/locate/locate-limits.h"
#include "hand/pixels/shapes/symbol-classifier.h"
#include "shared/base/limits.h"

/* A text that is not the element's own name counts a little less. */
static const double text_worth[HF_TEXT_SOURCE_COUNT] = {
    [HF_TEXT_SOURCE_NAME] = 1,    [HF_TEXT_SOURCE_DESCRIPTION] = 0.96,
    [HF_TEXT_SOURCE_VALUE] = 0.8, [HF_TEXT_SOURCE_LABEL] = 0.97,
    [HF_TEXT_SOURCE_ICON] = 0.9,
};
/* The chosen entry is all that can be read of a combo box. */
#define COMBO_VALUE_WORTH 0.95
/* Longer values are documents and no names. */
#define LONGEST_VALUE_BYTES 200
/* Words of a line that are further apart than so many line heights belong to different things. */
#define WORD_GAP_HEIGHTS 1.3

static void clear_scene_element(gpointer data)
{
    HfSceneElement *element = data;
    for (int i = 0; i < element->text_count; i++)
        hf_element_name_free(element->texts[i].name);
}

void hf_scene_free(HfScene *scene)
{
    if (!scene)
        return;
    g_array_unref(scene->elements);
    g_free(scene);
}

static void add_element_text(HfSceneElement *element, const char *text, HfTextSource source)
{
    if (!text || !*text || element->text_count == HF_SCENE_TEXTS)
        return;
    int at = element->text_count++;
    element->texts[at].name = hf_element_name_new(text);
    element->texts[at].worth = text_worth[source];
    element->texts[at].source = source;
}

/* ---- which nodes are elements ---- */

static HfRect visible_part_of_node(const HfTree *tree, int index)
{
    HfRect area = hf_tree_get(tree, index)->bounds;
    for (int at = hf_tree_get(tree, index)->parent; at != HF_NODE_NONE && !hf_rect_is_empty(area);
         at = hf_tree_get(tree, at)->parent) {
        const HfNode *outer = hf_tree_get(tree, at);
        if (hf_role_clips_children(outer->role) && !hf_rect_is_empty(outer->bounds) &&
            !outer->pops_up)
            area = hf_rect_intersect(area, outer->bounds);
        if (hf_tree_get(tree, index)->pops_up)
            break;
    }
    return area;
}

static gboolean role_is_container(int role)
{
    static const char roles[] =
        " invalid filler panel scroll-pane viewport section grouping redundant-object unknown "
        "tool-bar menu-bar status-bar list list-box table tree tree-table table-row page-tab-list "
        "document-web application separator scroll-bar form landmark split-pane article ";
    g_autofree char *name = g_strdup_printf(" %s ", hf_node_role_name(role));
    return strstr(roles, name) != NULL || hf_node_role_is(role, "window");
}

/* Whether the element around this text already has it as its name. */
static gboolean is_text_of_its_parent(const HfTree *tree, int index)
{
    const HfNode *node = hf_tree_get(tree, index);
    int at = node->parent;
    if (!hf_node_shows_text(node->role) && node->role != HF_ROLE_IMAGE)
        return FALSE;
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

static gboolean role_is_row(int role)
{
    return role == HF_ROLE_TABLE_ROW || role == HF_ROLE_LIST_ITEM || role == HF_ROLE_TREE_ITEM ||
           role == hf_node_role_from_name("article");
}

static HfSceneElement element_of_node(const HfTree *tree, int index, HfRect box)
{
    const HfNode *node = hf_tree_get(tree, index);
    int row = node->parent;
    while (row != HF_NODE_NONE && !role_is_row(hf_tree_get(tree, row)->role))
        row = hf_tree_get(tree, row)->parent;
    return (HfSceneElement){.node = index,
                            .role = node->role,
                            .states = node->states,
                            .box = box,
                            .window = node->window,
                            .source = node->source,
                            .read_confidence = node->confidence > 0 ? node->confidence : 1,
                            .row = row,
                            .as_row = role_is_row(node->role) ? index : HF_NODE_NONE,
                            .container = role_is_container(node->role)};
}

/* ---- adding them ---- */

/* A line that was read: one element for each group of words that stand together. */
static void add_read_line(HfScene *scene, const HfNode *node, int index)
{
    for (int begin = 0, i = 1; i <= node->part_count; i++) {
        HfRect last = node->parts[i - 1].bounds;
        HfRect next = i < node->part_count ? node->parts[i].bounds : last;
        if (i < node->part_count &&
            next.x - (last.x + last.width) <= WORD_GAP_HEIGHTS * MAX(last.height, next.height))
            continue;
        HfRect box = node->parts[begin].bounds;
        for (int k = begin + 1; k < i; k++)
            box = hf_rect_unite(box, node->parts[k].bounds);
        HfSceneElement element = element_of_node(scene->tree, index, box);
        g_autofree char *text =
            g_strndup(node->name + node->parts[begin].begin,
                      (gsize)(node->parts[i - 1].end - node->parts[begin].begin));
        add_element_text(&element, text, HF_TEXT_SOURCE_NAME);
        g_array_append_val(scene->elements, element);
        begin = i;
    }
}

static void add_node_texts(HfSceneElement *element, const HfTree *tree)
{
    const HfNode *node = hf_tree_get(tree, element->node);
    g_autofree char *called = hf_node_dup_display_name(tree, element->node);
    add_element_text(element, called, HF_TEXT_SOURCE_NAME);
    if (g_strcmp0(node->description, called) != 0)
        add_element_text(element, node->description, HF_TEXT_SOURCE_DESCRIPTION);
    if (node->secure)
        add_element_text(element, "password", HF_TEXT_SOURCE_DESCRIPTION);
    else if (node->value && strlen(node->value) < LONGEST_VALUE_BYTES &&
             g_strcmp0(node->value, called) != 0) {
        add_element_text(element, node->value, HF_TEXT_SOURCE_VALUE);
        if (node->role == HF_ROLE_COMBO_BOX && element->text_count > 0)
            element->texts[element->text_count - 1].worth = COMBO_VALUE_WORTH;
    }
}

static void add_scene_node(HfScene *scene, int index)
{
    const HfNode *node = hf_tree_get(scene->tree, index);
    HfRect box = visible_part_of_node(scene->tree, index);
    if (hf_rect_is_empty(box) || is_text_of_its_parent(scene->tree, index))
        return;
    if (node->part_count > 0 && hf_node_is_painted(node)) {
        add_read_line(scene, node, index);
        return;
    }
    HfSceneElement element = element_of_node(scene->tree, index, box);
    add_node_texts(&element, scene->tree);
    if (element.role == HF_ROLE_STATUS_BAR && element.text_count > 0)
        element.container = FALSE;
    g_array_append_val(scene->elements, element);
}

/* ---- windows and pages ---- */

/* People mean the page first, and the browser around it second. */
static void note_pages(HfScene *scene, const HfSceneScope *scope)
{
    for (guint i = 0; i < scene->elements->len; i++) {
        const HfSceneElement *page = hf_scene_get(scene, (int)i);
        if (page->role != HF_ROLE_DOCUMENT_WEB)
            continue;
        for (guint k = 0; k < scene->elements->len; k++) {
            HfSceneElement *element = hf_scene_get(scene, (int)k);
            if (element->window == page->window)
                element->outside_page |= !hf_node_role_is(element->role, "window") &&
                                         !hf_rect_contains(page->box, hf_rect_middle(element->box));
        }
        if (page->window == scope->front)
            scene->page = page->box;
    }
}

/* Removes what is outside of the region, and notes what is behind the front window. */
static void limit_to_scope(HfScene *scene, const HfSceneScope *scope)
{
    for (guint i = scene->elements->len; i > 0; i--) {
        HfSceneElement *element = hf_scene_get(scene, (int)i - 1);
        element->behind = scope->front && element->window && element->window != scope->front;
        if (!hf_rect_is_empty(scope->region) &&
            !hf_rect_contains(scope->region, hf_rect_middle(element->box)))
            g_array_remove_index(scene->elements, i - 1);
    }
}

gboolean hf_scene_elements_coincide(const HfSceneElement *a, const HfSceneElement *b)
{
    HfRect common = hf_rect_intersect(a->box, b->box);
    gint64 both = (gint64)common.width * common.height;
    gint64 smaller =
        MIN((gint64)a->box.width * a->box.height, (gint64)b->box.width * b->box.height);
    if (a->container || b->container || both * 10 < smaller * 9)
        return FALSE;
    return hf_rect_contains(a->box, hf_rect_middle(b->box)) &&
           hf_rect_contains(b->box, hf_rect_middle(a->box));
}

gboolean hf_scene_has_coinciding(const HfScene *scene, const GArray *items, int element)
{
    gsize size = g_array_get_element_size((GArray *)items);
    for (guint i = 0; i < items->len; i++)
        if (hf_scene_elements_coincide(
                hf_scene_get(scene, *(const int *)(gconstpointer)(items->data + i * size)),
                hf_scene_get(scene, element)))
            return TRUE;
    return FALSE;
}

/* ---- labels ---- */

/* As far as a person looks along a line from a label to its field. */
#define FURTHEST_LABEL_PX 900
/* A higher field has several lines, and its label is beside the first one. */
#define ONE_LINE_FIELD_PX 48

static gboolean is_named(const HfSceneElement *element)
{
    return element->text_count > 0 && element->texts[0].source == HF_TEXT_SOURCE_NAME;
}

static gboolean element_takes_label(const HfSceneElement *element)
{
    gboolean box = element->role == HF_ROLE_CHECK_BOX || element->role == HF_ROLE_SWITCH ||
                   element->role == HF_ROLE_TOGGLE_BUTTON;
    if (hf_scene_element_is_painted(element))
        return !is_named(element) && element->role != HF_ROLE_LABEL;
    return (hf_node_takes_label(element->role) || element->role == HF_ROLE_TOGGLE_BUTTON) &&
           !(box && is_named(element));
}

static gboolean is_label_element(const HfSceneElement *element)
{
    return element->text_count > 0 &&
           (element->role == HF_ROLE_LABEL || element->role == HF_ROLE_STATIC ||
            element->role == HF_ROLE_PARAGRAPH || element->role == HF_ROLE_HEADING ||
            element->role == HF_ROLE_SECTION);
}

/* Whether another element stands in the strip between a label and a field. */
static gboolean is_separated(const HfScene *scene, const HfSceneElement *label,
                             const HfSceneElement *field, HfRect strip, gboolean by_labels)
{
    for (guint i = 0; strip.height > 0 && i < scene->elements->len; i++) {
        const HfSceneElement *other = hf_scene_get(scene, (int)i);
        if (other != field && other != label && other->window == label->window &&
            !other->container &&
            (by_labels ? is_label_element(other) : !hf_scene_element_is_painted(other)) &&
            !hf_rect_contains(other->box, hf_rect_middle(label->box)) &&
            !hf_rect_is_empty(hf_rect_intersect(other->box, strip)))
            return TRUE;
    }
    return FALSE;
}

/* Pixels; negative: it is not the label of this field. */
static double distance_to_label(const HfScene *scene, const HfSceneElement *label,
                                const HfSceneElement *field)
{
    int end = label->box.x + label->box.width, bottom = label->box.y + label->box.height;
    if (end <= field->box.x && label->box.y > field->box.y + ONE_LINE_FIELD_PX)
        return -1;
    double near = hf_proximity_label(label->box, field->box);
    HfRect below = {label->box.x, bottom, label->box.width, field->box.y - bottom};
    if (near >= 0)
        return is_separated(scene, label, field, below, TRUE) ? -1 : near;
    double right = hf_proximity_from(label->box, field->box, HF_DIRECTION_RIGHT);
    HfRect line = {end, label->box.y + label->box.height / 2, field->box.x - end, 1};
    return right < 0 || right > FURTHEST_LABEL_PX || is_separated(scene, label, field, line, FALSE)
               ? -1
               : right;
}

/* Every label belongs to the nearest field on its right, else to the nearest one below it. */
static void add_labels_to_fields(HfScene *scene)
{
    for (guint i = 0; i < scene->elements->len; i++) {
        const HfSceneElement *label = hf_scene_get(scene, (int)i);
        HfSceneElement *best = NULL;
        double least = G_MAXDOUBLE;
        for (guint k = 0; is_label_element(label) && k < scene->elements->len; k++) {
            HfSceneElement *field = hf_scene_get(scene, (int)k);
            if (field->window != label->window || field->row != label->row ||
                !element_takes_label(field))
                continue;
            double distance = distance_to_label(scene, label, field);
            if (distance >= 0 && distance < least) {
                least = distance;
                best = field;
            }
        }
        if (best)
            add_element_text(best, label->texts[0].name->text, HF_TEXT_SOURCE_LABEL);
    }
}

/* ---- icons ---- */

/* A larger drawing is not a symbol. */
#define LARGEST_SYMBOL_PX 64
#define SYMBOL_GUESSES    3
#define LEAST_LIKELIHOOD  0.05
/* From here on a symbol is certain; below, it never makes an answer confident. */
#define SURE_LIKELIHOOD 0.8

/* An element with a name may show a symbol too, if there is no room for its name. */
static gboolean may_show_symbol(const HfSceneElement *element, HfRect box)
{
    int longer = MAX(box.width, box.height), shorter = MIN(box.width, box.height);
    gboolean named =
        element->text_count > 0 && element->texts[0].source <= HF_TEXT_SOURCE_DESCRIPTION;
    if (element->container || longer > LARGEST_SYMBOL_PX || (named && longer * 2 > shorter * 3))
        return FALSE;
    if (hf_scene_element_is_painted(element))
        return element->role != HF_ROLE_LABEL ||
               (named && g_utf8_strlen(element->texts[0].name->compact, -1) <= 1);
    return element->role == HF_ROLE_ICON || element->role == HF_ROLE_IMAGE ||
           element->role == HF_ROLE_LINK || hf_node_role_is(element->role, "button") ||
           (element->role == HF_ROLE_TABLE_CELL && !named);
}

static void add_symbol_name(HfSceneElement *element, const char *name, double likelihood)
{
    int before = element->text_count;
    add_element_text(element, name, HF_TEXT_SOURCE_ICON);
    if (element->text_count == before)
        return;
    element->texts[before].worth *= (1 + likelihood) / 2;
    element->texts[before].doubtful = likelihood < SURE_LIKELIHOOD;
}

static void add_icon_names(HfScene *scene)
{
    for (guint i = 0; scene->picture && i < scene->elements->len; i++) {
        HfSceneElement *element = hf_scene_get(scene, (int)i);
        HfSymbolGuess guesses[SYMBOL_GUESSES];
        const HfNode *node = hf_tree_get(scene->tree, element->node);
        gboolean letter = hf_scene_element_is_painted(element) && node->part_count == 1;
        HfRect place =
            letter ? node->bounds : element->box; /* larger than the stroke that was read */
        if (!may_show_symbol(element, place))
            continue;
        HfRect box = {place.x - scene->picture_area.x, place.y - scene->picture_area.y, place.width,
                      place.height};
        gboolean framed = !hf_scene_element_is_painted(element) && element->role != HF_ROLE_IMAGE;
        int count = hf_symbols_guess(scene->picture, box, framed, guesses, SYMBOL_GUESSES);
        gboolean tick_box =
            hf_scene_element_is_painted(element) && element->role == HF_ROLE_CHECK_BOX;
        for (int k = 0; k < count && guesses[k].likelihood >= LEAST_LIKELIHOOD; k++) {
            if (tick_box && strcmp(guesses[k].name, "check") != 0)
                continue;
            add_symbol_name(element, guesses[k].name, guesses[k].likelihood);
            add_symbol_name(element, guesses[k].also, guesses[k].likelihood); /* a wider word */
        }
    }
}

/* ---- the scene ---- */

HfScene *hf_scene_new(const HfTree *tree, const HfSceneScope *scope)
{
    HfScene *scene = g_new0(HfScene, 1);
    scene->tree = tree;
    scene->picture = scope->picture;
    scene->picture_area = scope->picture_area;
    scene->elements = g_array_new(FALSE, FALSE, sizeof(HfSceneElement));
    g_array_set_clear_func(scene->elements, clear_scene_element);
    for (int i = 0; i < hf_tree_size(tree) && scene->elements->len < HF_LIMIT_SCENE_ELEMENTS; i++)
        if (hf_tree_is_visible(tree, i))
            add_scene_node(scene, i);
    scene->cut = scene->elements->len >= HF_LIMIT_SCENE_ELEMENTS;
    add_labels_to_fields(scene);
    add_icon_names(scene);
    const HfWindow *front = scope->windows ? hf_windows_find(scope->windows, scope->front) : NULL;
    if (front)
        scene->front = front->frame;
    note_pages(scene, scope);
    limit_to_scope(scene, scope);
    return scene;
}
