/* SPDX-License-Identifier: Apache-2.0 */
/* The text is at the other end of the row, however far away, or right behind it. */
#include "hand/locate/knobs.h"

#include "hand/atspi/selector/proximity.h"
#include "hand/atspi/tree/roles.h"
#include "hand/atspi/tree/states.h"

/* From a switch to a text on its right. */
#define BEHIND_PX 24
/* From a text to a slider on its right. */
#define SLIDER_PX 320

static int find_nearest(const HfComposing *work, HfRect box, HfDirection direction, double most)
{
    int found = -1;
    for (guint i = 0; i < work->texts->len; i++) {
        double gap = hf_proximity_from(box, hf_composing_text(work, i)->box, direction);
        if (work->used[i] || gap < 0 || gap > most)
            continue;
        found = (int)i;
        most = gap;
    }
    return found;
}

static void forget_inside(HfComposing *work, HfRect box)
{
    for (guint i = 0; i < work->texts->len; i++)
        work->used[i] = work->used[i] || hf_composing_lies_in(hf_composing_text(work, i)->box, box);
}

void hf_knobs_add(HfComposing *work, guint index)
{
    const HfShape *shape = hf_composing_shape(work, index);
    gboolean slides = shape->kind == HF_SHAPE_SLIDER;
    HfSeen seen = hf_composing_new_seen(work, shape, slides ? HF_ROLE_SLIDER : HF_ROLE_SWITCH);
    forget_inside(work, shape->box);
    int behind = slides ? -1 : find_nearest(work, shape->box, HF_DIRECTION_RIGHT, BEHIND_PX);
    int label = behind >= 0 ? behind
                            : find_nearest(work, shape->box, HF_DIRECTION_LEFT,
                                           slides ? SLIDER_PX : G_MAXDOUBLE);
    work->gone[index] = TRUE;
    seen.label = label >= 0 ? hf_composing_text(work, (guint)label)->text : NULL;
    if (slides) {
        char *value = g_strdup_printf("%d %%", shape->value);
        g_ptr_array_add(work->things->kept, value);
        seen.value = value;
    } else if (shape->marked) {
        seen.states = HF_STATE(HF_STATE_CHECKED);
    }
    g_array_append_val(work->things->seen, seen);
}

gboolean hf_knobs_has_label(const HfComposing *work, const HfSeen *text)
{
    for (guint i = 0; i < work->things->seen->len; i++) {
        const HfSeen *seen = &g_array_index(work->things->seen, HfSeen, i);
        if ((seen->role == HF_ROLE_SWITCH || seen->role == HF_ROLE_SLIDER) &&
            seen->label == text->text)
            return TRUE;
    }
    return FALSE;
}
