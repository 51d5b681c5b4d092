/* SPDX-License-Identifier: Apache-2.0 */
/* Scrolls an element into view: by ScrollTo, by focusing it, which makes most toolkits scroll, and
 * by the wheel over its container. */
#include "hand/atspi/act/action-strategy.h"
#include "hand/atspi/act/element-input.h"
#include "hand/atspi/bus/atspi-names.h"
#include "hand/atspi/tree/states.h"
#include "shared/base/error.h"

#define ANYWHERE 6u
/* Wheel clicks at a time, and how often. */
#define TURNS 3
#define TRIES 60
/* How much of it must be visible; small elements entirely. */
#define SEEN_PX 16

static gboolean is_in_view(HfElementAction *action, gboolean *ret_holds, GError **error)
{
    HfElement *element = action->element;
    *ret_holds = FALSE;
    if (!hf_element_reread(element, error))
        return FALSE;
    if (element->index == HF_NODE_NONE || !hf_tree_is_visible(element->tree, element->index))
        return TRUE;
    HfRect all = hf_tree_get(element->tree, element->index)->bounds;
    HfRect seen = hf_element_get_visible(element);
    *ret_holds = seen.height >= MIN(all.height, SEEN_PX) && seen.width >= MIN(all.width, SEEN_PX);
    return TRUE;
}

/* Focusing an element also scrolls it into view. */
static gboolean scroll_by_atspi(HfElementAction *action, gboolean *ret_done, GError **error)
{
    *ret_done = FALSE;
    if (!action->element->quirks->grabs_focus)
        return TRUE;
    if (hf_element_invoke(action->element, HF_ATSPI_COMPONENT, "ScrollTo",
                          g_variant_new("(u)", ANYWHERE), ret_done, NULL) &&
        *ret_done)
        return TRUE;
    if (!hf_states_have(action->element->states, HF_STATE_FOCUSABLE))
        return TRUE;
    return hf_element_invoke(action->element, HF_ATSPI_COMPONENT, "GrabFocus", NULL, ret_done,
                             error);
}

/* The nearest container whose bounds it exceeds. */
static int find_box(const HfElement *element)
{
    HfRect inner = hf_tree_get(element->tree, element->index)->bounds;
    int index = hf_tree_get(element->tree, element->index)->parent;
    for (; index != HF_NODE_NONE; index = hf_tree_get(element->tree, index)->parent) {
        HfRect box = hf_tree_get(element->tree, index)->bounds;
        HfRect common = hf_rect_intersect(inner, box);
        if (!hf_rect_is_empty(box) && !hf_rect_equal(common, inner))
            return index;
    }
    return HF_NODE_NONE;
}

static HfButton find_wheel(HfRect inner, HfRect box)
{
    if (inner.y + inner.height > box.y + box.height)
        return HF_BUTTON_WHEEL_DOWN;
    if (inner.y < box.y)
        return HF_BUTTON_WHEEL_UP;
    return inner.x < box.x ? HF_BUTTON_WHEEL_LEFT : HF_BUTTON_WHEEL_RIGHT;
}

static gboolean scroll_box_by_wheel(HfElementAction *action, int box_index, GError **error)
{
    HfElement *element = action->element;
    g_autoptr(HfElement) box = hf_element_new_at(element, box_index);
    HfScroll scroll = {.clicks = TURNS};
    scroll.wheel = find_wheel(hf_tree_get(element->tree, element->index)->bounds,
                              hf_tree_get(element->tree, box_index)->bounds);
    action->pointed =
        hf_element_find_clickable_point(box, &scroll.point, error) &&
        hf_pointer_scroll(element->context, &scroll, &action->point, element->deadline, error);
    return action->pointed;
}

static gboolean scroll_by_input(HfElementAction *action, gboolean *ret_done, GError **error)
{
    HfElement *element = action->element;
    gboolean in_view = FALSE;
    HfRect last = {0, 0, 0, 0};
    *ret_done = FALSE;
    for (int i = 0; i < TRIES && !in_view; i++) {
        if (!is_in_view(action, &in_view, error))
            return FALSE;
        int box = in_view || element->index == HF_NODE_NONE ? HF_NODE_NONE : find_box(element);
        if (box == HF_NODE_NONE)
            return TRUE;
        HfRect bounds = hf_tree_get(element->tree, element->index)->bounds;
        if (i > 1 && hf_rect_equal(bounds, last))
            return TRUE;
        last = bounds;
        if (!scroll_box_by_wheel(action, box, error))
            return FALSE;
        *ret_done = TRUE;
    }
    return TRUE;
}

const HfActStrategy hf_act_strategy_scroll = {
    .is_done = is_in_view,
    .by_atspi = scroll_by_atspi,
    .by_input = scroll_by_input,
    .seen = "it was seen in view",
};
