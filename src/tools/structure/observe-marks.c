/* Only what a person could use gets a box: a picture full of them shows nothing. */
#include "tools/structure/observe-marks.h"

#include "access/roles.h"
#include "access/states.h"
#include "vision/number-marks.h"

/* More than a model, or a person, can tell apart. */
#define MARKS_MAX 200

static gboolean is_usable(const HfTree *tree, int index)
{
    const HfNode *node = hf_tree_get(tree, index);
    return node->depth > 0 && hf_tree_is_visible(tree, index) &&
           hf_element_is_telling(tree, index) &&
           ((node->abilities & (HF_ABILITY_ACTION | HF_ABILITY_EDITABLE_TEXT)) ||
            hf_states_have(node->states, HF_STATE_FOCUSABLE) ||
            hf_states_have(node->states, HF_STATE_SELECTABLE));
}

void hf_observe_mark(const HfTree *tree, HfElementNamer name, gpointer data, HfCapture *capture,
                     HfSize shown)
{
    g_autoptr(GArray) marks = g_array_new(FALSE, FALSE, sizeof(HfNumberMark));
    if (!capture->image || shown.width <= 0)
        return;
    for (int i = 0; i < hf_tree_size(tree) && marks->len < MARKS_MAX; i++) {
        HfRect box = hf_rect_intersect(hf_tree_get(tree, i)->bounds, capture->area);
        if (!is_usable(tree, i) || hf_rect_is_empty(box))
            continue;
        HfNumberMark mark = {
            {box.x - capture->area.x, box.y - capture->area.y, box.width, box.height},
            (int)name(data, i)};
        g_array_append_val(marks, mark);
    }
    hf_image_mark_numbers(capture->image, (const HfNumberMark *)(gpointer)marks->data, marks->len,
                          (double)capture->area.width / shown.width);
}
