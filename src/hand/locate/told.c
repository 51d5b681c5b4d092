/* SPDX-License-Identifier: Apache-2.0 */
/* Which roles hold others, which paint, and which say themselves what can be read in them. A name
 * of a box ("Files") says nothing of what is painted inside; that of a button is what it shows. */
#include "hand/locate/told.h"

#include "hand/atspi/selector/match-text.h"
#include "hand/atspi/tree/element-fingerprint.h"
#include "hand/atspi/tree/roles.h"
#include "hand/atspi/tree/states.h"

/* The least that a canvas must have to show a word, and a bare box to be taken for a canvas. */
static const HfSize canvas_least = {40, 14}, box_least = {100, 40};
/* A picture with its caption. */
static const HfSize caption_least = {48, 40};

static gboolean is_text(int role)
{
    return hf_node_shows_text(role) || role == HF_ROLE_TOOL_TIP || hf_node_role_is(role, "header");
}

static gboolean is_control(int role)
{
    switch (role) {
    case HF_ROLE_CHECK_MENU_ITEM:
    case HF_ROLE_ICON:
    case HF_ROLE_MENU:
    case HF_ROLE_RADIO_BUTTON:
    case HF_ROLE_RADIO_MENU_ITEM:
    case HF_ROLE_TEAROFF_MENU_ITEM:
        return TRUE;
    default:
        return hf_node_known_by_content(role);
    }
}

/* What it holds can be asked for, by those who may know it. */
static gboolean holds_value(const HfNode *node)
{
    return node->secure || hf_node_takes_label(node->role) ||
           hf_node_role_is(node->role, "field") ||
           hf_states_have(node->states, HF_STATE_EDITABLE) ||
           (node->abilities & HF_ABILITY_EDITABLE_TEXT);
}

/* What programs paint on: what they say is drawn, and boxes that hold nothing. */
static gboolean is_canvas(int role)
{
    return role == hf_node_role_from_name("canvas") ||
           role == hf_node_role_from_name("drawing-area") ||
           role == hf_node_role_from_name("animation");
}

static gboolean is_box(int role)
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
    case HF_ROLE_APPLICATION:
    case HF_ROLE_DOCUMENT_FRAME:
    case HF_ROLE_DOCUMENT_WEB:
        return TRUE;
    default:
        return hf_node_role_is(role, "window");
    }
}

static HfPoint middle_of(HfRect rect)
{
    return (HfPoint){rect.x + rect.width / 2, rect.y + rect.height / 2};
}

/* What lies further in comes later in the tree, and so does what lies on top. */
static int innermost_at(const HfTree *tree, guint32 window, HfPoint point)
{
    int found = HF_NODE_NONE;
    for (int i = 0; i < hf_tree_size(tree); i++) {
        const HfNode *node = hf_tree_get(tree, i);
        if (node->window == window && hf_rect_contains(node->bounds, point) &&
            hf_tree_is_visible(tree, i) &&
            (found == HF_NODE_NONE || node->depth >= hf_tree_get(tree, found)->depth))
            found = i;
    }
    return found;
}

/* Files in a folder are told as pictures, with what is written below them inside. */
static gboolean is_captioned(const HfNode *node)
{
    return node->role == HF_ROLE_ICON && node->bounds.height >= caption_least.height &&
           node->bounds.width >= caption_least.width;
}

/* GTK 4 does not tell what is chosen in a list that drops down, and GTK 3 only the picture of it.
 */
static gboolean is_mute(const HfNode *node)
{
    gboolean named = node->name && *node->name && !g_str_has_suffix(node->name, "-symbolic");
    return node->role == HF_ROLE_COMBO_BOX && !named && !(node->value && *node->value) &&
           node->source == HF_SOURCE_ACCESS;
}

static HfTold told_by(const HfTree *tree, int index)
{
    const HfNode *node = hf_tree_get(tree, index);
    if (is_mute(node))
        return HF_TOLD_NAMELESS;
    if (holds_value(node))
        return HF_TOLD_ALL;
    if (!is_text(node->role) && !is_control(node->role))
        return HF_TOLD_NOTHING;
    if (node->description && *node->description)
        return HF_TOLD_ALL;
    g_autofree char *called = hf_node_dup_display_name(tree, index);
    if (called || is_text(node->role))
        return HF_TOLD_ALL;
    return hf_node_known_by_content(node->role) || is_captioned(node) ? HF_TOLD_NAMELESS
                                                                      : HF_TOLD_NOTHING;
}

/* The page behind a tab is below it in the tree, and not on it. Boxes of such a page are left to
 * the program, which tells what is in them nearly always. */
static gboolean is_tab_elsewhere(const HfNode *node, HfRect place)
{
    return node->role == HF_ROLE_PAGE_TAB && !hf_rect_contains(node->bounds, middle_of(place));
}

static gboolean shows_pictures(const HfNode *node)
{
    return is_captioned(node) || node->role == hf_node_role_from_name("layered-pane");
}

HfTold hf_told_at(const HfTree *tree, guint32 window, HfRect place, int *ret_index)
{
    int innermost = innermost_at(tree, window, middle_of(place));
    *ret_index = innermost;
    HfTold told = HF_TOLD_NOTHING;
    /* What is painted in a paragraph is none of its text. */
    gboolean painted = innermost != HF_NODE_NONE && is_canvas(hf_tree_get(tree, innermost)->role);
    gboolean pictures =
        innermost != HF_NODE_NONE && (painted || shows_pictures(hf_tree_get(tree, innermost)));
    for (int at = innermost; at != HF_NODE_NONE && told != HF_TOLD_ALL;
         at = hf_tree_get(tree, at)->parent) {
        HfTold here = told_by(tree, at);
        const HfNode *node = hf_tree_get(tree, at);
        if ((painted && is_text(node->role)) || (pictures && is_tab_elsewhere(node, place)))
            continue;
        if (here > told) {
            told = here;
            *ret_index = at;
        }
    }
    return told;
}

gboolean hf_told_has_window(const HfTree *tree, guint32 window)
{
    for (int i = 0; i < hf_tree_size(tree); i++)
        if (hf_tree_get(tree, i)->window == window)
            return TRUE;
    return FALSE;
}

static gboolean has_visible_child(const HfTree *tree, int index)
{
    for (int child = hf_tree_get(tree, index)->first_child; child != HF_NODE_NONE;
         child = hf_tree_get(tree, child)->next_sibling)
        if (hf_tree_is_visible(tree, child))
            return TRUE;
    return FALSE;
}

/* What was not read of it may tell everything. */
static gboolean is_blind(const HfTree *tree, int index)
{
    const HfNode *node = hf_tree_get(tree, index);
    gboolean canvas = is_canvas(node->role);
    HfSize least = canvas ? canvas_least : box_least;
    int told;
    if (is_captioned(node) && hf_tree_is_visible(tree, index))
        return hf_told_at(tree, node->window, node->bounds, &told) == HF_TOLD_NAMELESS;
    if ((!canvas && !is_box(node->role)) || node->bounds.width < least.width ||
        node->bounds.height < least.height)
        return FALSE;
    return !node->more && !(node->missing & HF_MISSING_CHILDREN) &&
           hf_tree_is_visible(tree, index) && !has_visible_child(tree, index) &&
           hf_told_at(tree, node->window, node->bounds, &told) != HF_TOLD_ALL;
}

GArray *hf_told_blind(const HfTree *tree, guint32 window, HfRect area)
{
    GArray *blind = g_array_new(FALSE, FALSE, sizeof(HfRect));
    if (!hf_told_has_window(tree, window)) {
        g_array_append_val(blind, area);
        return blind;
    }
    for (int i = 0; i < hf_tree_size(tree); i++) {
        if (hf_tree_get(tree, i)->window != window || !is_blind(tree, i))
            continue;
        HfRect part = hf_rect_intersect(hf_tree_get(tree, i)->bounds, area);
        if (!hf_rect_is_empty(part))
            g_array_append_val(blind, part);
    }
    return blind;
}
