/* SPDX-License-Identifier: Apache-2.0 */
/* Decides by role. The name of a box ("Files") says nothing about what is painted inside it; the
 * name of a button is the text that it shows. */
#include "hand/locate/ax-coverage.h"

#include "hand/atspi/selector/match-text.h"
#include "hand/atspi/tree/element-fingerprint.h"
#include "hand/atspi/tree/roles.h"
#include "hand/atspi/tree/states.h"
#include "hand/locate/tree-merge.h"

/* A smaller canvas shows no word; a smaller empty box is not a canvas. */
static const HfSize canvas_least = {40, 14}, box_least = {100, 40};
/* A smaller icon has no caption. */
static const HfSize caption_least = {48, 40};

static gboolean is_text_role(int role)
{
    return hf_node_shows_text(role) || role == HF_ROLE_TOOL_TIP || hf_node_role_is(role, "header");
}

static gboolean is_control_role(int role)
{
    return role == HF_ROLE_CHECK_MENU_ITEM || role == HF_ROLE_ICON || role == HF_ROLE_MENU ||
           role == HF_ROLE_RADIO_BUTTON || role == HF_ROLE_RADIO_MENU_ITEM ||
           role == HF_ROLE_TEAROFF_MENU_ITEM || hf_node_known_by_content(role);
}

/* Its value is available on request, to callers that may know it. */
static gboolean holds_readable_value(const HfNode *node)
{
    return node->secure || hf_node_takes_label(node->role) ||
           hf_node_role_is(node->role, "field") ||
           hf_states_have(node->states, HF_STATE_EDITABLE) ||
           (node->abilities & HF_ABILITY_EDITABLE_TEXT);
}

/* Areas that programs paint on. */
static gboolean is_canvas_role(int role)
{
    return role == hf_node_role_from_name("canvas") ||
           role == hf_node_role_from_name("drawing-area") ||
           role == hf_node_role_from_name("animation");
}

static gboolean is_box_role(int role)
{
    static const int roles[] = {
        HF_ROLE_INVALID,  HF_ROLE_FILLER,      HF_ROLE_PANEL,          HF_ROLE_SCROLL_PANE,
        HF_ROLE_VIEWPORT, HF_ROLE_SECTION,     HF_ROLE_GROUPING,       HF_ROLE_REDUNDANT_OBJECT,
        HF_ROLE_UNKNOWN,  HF_ROLE_APPLICATION, HF_ROLE_DOCUMENT_FRAME, HF_ROLE_DOCUMENT_WEB};
    for (gsize i = 0; i < G_N_ELEMENTS(roles); i++)
        if (role == roles[i])
            return TRUE;
    return hf_node_role_is(role, "window");
}

/* Inner and upper elements come later in the tree. */
static int innermost_node_at(const HfTree *tree, guint32 window, HfPoint point)
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

/* File managers report a file as an icon; its caption is inside. */
static gboolean is_captioned_icon(const HfNode *node)
{
    return node->role == HF_ROLE_ICON && node->bounds.height >= caption_least.height &&
           node->bounds.width >= caption_least.width;
}

/* GTK 4 does not report the chosen entry of a combo box, and GTK 3 only its icon. */
static gboolean hides_its_value(const HfNode *node)
{
    gboolean named = node->name && *node->name && !g_str_has_suffix(node->name, "-symbolic");
    return node->role == HF_ROLE_COMBO_BOX && !named && !(node->value && *node->value) &&
           node->source == HF_SOURCE_ACCESS;
}

static HfAxCoverage coverage_of_node(const HfTree *tree, int index)
{
    const HfNode *node = hf_tree_get(tree, index);
    if (hides_its_value(node))
        return HF_AX_COVERAGE_UNNAMED;
    if (holds_readable_value(node))
        return HF_AX_COVERAGE_FULL;
    if (!is_text_role(node->role) && !is_control_role(node->role))
        return HF_AX_COVERAGE_NONE;
    if (node->description && *node->description)
        return HF_AX_COVERAGE_FULL;
    g_autofree char *called = hf_node_dup_display_name(tree, index);
    if (called || is_text_role(node->role))
        return HF_AX_COVERAGE_FULL;
    return hf_node_known_by_content(node->role) || is_captioned_icon(node) ? HF_AX_COVERAGE_UNNAMED
                                                                           : HF_AX_COVERAGE_NONE;
}

/* A canvas in a paragraph is not part of its text. In the tree, a page is below its tab, but it is
 * not on it; other boxes of a page are left to the program, which nearly always reports what is in
 * them. */
HfAxCoverage hf_ax_coverage_at(const HfTree *tree, guint32 window, HfRect place, int *ret_index)
{
    HfPoint middle = hf_rect_middle(place);
    HfAxCoverage coverage = HF_AX_COVERAGE_NONE;
    int innermost = innermost_node_at(tree, window, middle);
    const HfNode *inner = innermost != HF_NODE_NONE ? hf_tree_get(tree, innermost) : NULL;
    gboolean canvas = inner && is_canvas_role(inner->role);
    gboolean pictures =
        canvas || (inner && (is_captioned_icon(inner) ||
                             inner->role == hf_node_role_from_name("layered-pane")));
    *ret_index = innermost;
    for (int at = innermost; at != HF_NODE_NONE && coverage != HF_AX_COVERAGE_FULL;
         at = hf_tree_get(tree, at)->parent) {
        const HfNode *node = hf_tree_get(tree, at);
        gboolean tab_elsewhere =
            node->role == HF_ROLE_PAGE_TAB && !hf_rect_contains(node->bounds, middle);
        HfAxCoverage here = coverage_of_node(tree, at);
        if ((canvas && is_text_role(node->role)) || (pictures && tab_elsewhere) || here <= coverage)
            continue;
        coverage = here;
        *ret_index = at;
    }
    return coverage;
}

/* Whether the window is in the tree at all. */
static gboolean has_accessible_window(const HfTree *tree, guint32 window)
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

/* Children that were not read may report everything. */
static gboolean is_coverage_gap(const HfTree *tree, int index)
{
    const HfNode *node = hf_tree_get(tree, index);
    gboolean canvas = is_canvas_role(node->role);
    HfSize least = canvas ? canvas_least : box_least;
    int coverage;
    if (is_captioned_icon(node) && hf_tree_is_visible(tree, index))
        return hf_ax_coverage_at(tree, node->window, node->bounds, &coverage) ==
               HF_AX_COVERAGE_UNNAMED;
    if ((!canvas && !is_box_role(node->role)) || node->bounds.width < least.width ||
        node->bounds.height < least.height)
        return FALSE;
    return !node->more && !(node->missing & HF_MISSING_CHILDREN) &&
           hf_tree_is_visible(tree, index) && !has_visible_child(tree, index) &&
           hf_ax_coverage_at(tree, node->window, node->bounds, &coverage) != HF_AX_COVERAGE_FULL;
}

GArray *hf_ax_coverage_gaps(const HfTree *tree, guint32 window, HfRect area)
{
    GArray *gaps = g_array_new(FALSE, FALSE, sizeof(HfRect));
    if (!has_accessible_window(tree, window)) {
        g_array_append_val(gaps, area);
        return gaps;
    }
    for (int i = 0; i < hf_tree_size(tree); i++) {
        if (hf_tree_get(tree, i)->window != window || !is_coverage_gap(tree, i))
            continue;
        HfRect part = hf_rect_intersect(hf_tree_get(tree, i)->bounds, area);
        if (!hf_rect_is_empty(part))
            g_array_append_val(gaps, part);
    }
    return gaps;
}
