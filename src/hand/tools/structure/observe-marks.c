/* SPDX-License-Identifier: Apache-2.0 */
/* Only what is in the list and a person could use gets a box: a picture full of them shows
 * nothing. */
#include "hand/tools/structure/observe-marks.h"

#include "hand/atspi/tree/roles.h"
#include "hand/atspi/tree/states.h"
#include "hand/pixels/image/number-marks.h"

/* More than a model, or a person, can tell apart. */
#define MARKS_MAX 200

static gboolean is_markable(const HfTree *tree, int index)
{
    const HfNode *node = hf_tree_get(tree, index);
    if (hf_node_is_painted(node))
        return node->depth > 0;
    return node->depth > 0 && ((node->abilities & (HF_ABILITY_ACTION | HF_ABILITY_EDITABLE_TEXT)) ||
                               hf_states_have(node->states, HF_STATE_FOCUSABLE) ||
                               hf_states_have(node->states, HF_STATE_SELECTABLE));
}

void hf_observe_mark(const HfTree *tree, HfElementNamer name, gpointer data, HfCapture *capture,
                     HfSize shown)
{
    g_autoptr(GArray) marks = g_array_new(FALSE, FALSE, sizeof(HfNumberMark));
    if (!capture->image || shown.width <= 0)
        return;
    g_autoptr(GArray) listed = hf_elements_listed(tree, 0, hf_tree_size(tree), FALSE);
    for (guint i = 0; i < listed->len && marks->len < MARKS_MAX; i++) {
        int index = g_array_index(listed, int, i);
        HfRect box = hf_rect_intersect(hf_tree_get(tree, index)->bounds, capture->area);
        if (!is_markable(tree, index) || hf_rect_is_empty(box))
            continue;
        HfNumberMark mark = {
            {box.x - capture->area.x, box.y - capture->area.y, box.width, box.height},
            (int)name(data, index)};
        g_array_append_val(marks, mark);
    }
    hf_image_mark_numbers(capture->image, (const HfNumberMark *)(gpointer)marks->data, marks->len,
                          (double)capture->area.width / shown.width);
}
