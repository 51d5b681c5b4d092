/* SPDX-License-Identifier: Apache-2.0 */
/* Composing: boxes take the texts beside them first, then frames those in them; what is left of the
 * drawings are icons, and what is left of the texts stays as it is. */
#include "hand/locate/things.h"

#include <stdlib.h>

#include "hand/atspi/selector/proximity.h"
#include "hand/atspi/tree/roles.h"
#include "hand/atspi/tree/states.h"
#include "hand/locate/frames.h"
#include "hand/locate/knobs.h"
#include "hand/locate/locate-limits.h"
#include "hand/locate/signs.h"

/* From a box or circle to its text. */
#define BESIDE_PX 24

/* ---- boxes and circles ---- */

static int find_beside(const HfComposing *work, HfRect box)
{
    int found = -1;
    double least = BESIDE_PX;
    for (guint i = 0; i < work->texts->len; i++) {
        double gap = hf_proximity_from(box, hf_composing_text(work, i)->box, HF_DIRECTION_RIGHT);
        if (work->used[i] || gap < 0 || gap > least)
            continue;
        found = (int)i;
        least = gap;
    }
    return found;
}

/* A mark in a box may have been read as a letter. */
static void forget_inside(HfComposing *work, HfRect box)
{
    for (guint i = 0; i < work->texts->len; i++)
        work->used[i] = work->used[i] || hf_composing_lies_in(hf_composing_text(work, i)->box, box);
}

static void add_tick(HfComposing *work, guint index)
{
    const HfShape *shape = hf_composing_shape(work, index);
    gboolean box = shape->kind == HF_SHAPE_BOX;
    HfSeen seen =
        hf_composing_new_seen(work, shape, box ? HF_ROLE_CHECK_BOX : HF_ROLE_RADIO_BUTTON);
    forget_inside(work, shape->box);
    int beside = find_beside(work, shape->box);
    work->gone[index] = TRUE;
    if (shape->marked)
        seen.states = HF_STATE(HF_STATE_CHECKED);
    if (beside >= 0) {
        hf_composing_take_text(work, (guint)beside, &seen);
    } else if (!box) { /* the knob of a slider, a dot */
        seen.role = HF_ROLE_ICON;
        seen.states = 0;
    }
    g_array_append_val(work->things->seen, seen);
}

/* ---- all of them ---- */

static void add_texts(HfComposing *work)
{
    for (guint i = 0; i < work->texts->len; i++)
        if (!work->used[i])
            g_array_append_val(work->things->seen, *hf_composing_text(work, i));
}

static int by_top(gconstpointer a, gconstpointer b)
{
    return ((const HfSeen *)a)->box.y - ((const HfSeen *)b)->box.y;
}

static int by_left(gconstpointer a, gconstpointer b)
{
    return ((const HfSeen *)a)->box.x - ((const HfSeen *)b)->box.x;
}

/* A row is what has its middle beside the first of it. */
static void sort_as_read(GArray *seen)
{
    HfSeen *all = (HfSeen *)(gpointer)seen->data;
    g_array_sort(seen, by_top);
    for (guint begin = 0, end; begin < seen->len; begin = end) {
        int bottom = all[begin].box.y + all[begin].box.height;
        for (end = begin + 1; end < seen->len && all[end].box.y + all[end].box.height / 2 < bottom;)
            end++;
        qsort(all + begin, end - begin, sizeof *all, by_left);
    }
}

void hf_things_init(HfThings *things, const GArray *texts, const GArray *shapes,
                    const GArray *unread)
{
    g_autofree gboolean *used = g_new0(gboolean, texts->len + 1);
    g_autofree gboolean *nothing = g_new0(gboolean, texts->len + 1);
    g_autofree gboolean *gone = g_new0(gboolean, shapes->len + 1);
    HfComposing work = {things, texts, shapes, unread, used, nothing, gone};
    *things = (HfThings){g_array_new(FALSE, FALSE, sizeof(HfSeen)),
                         g_ptr_array_new_with_free_func(g_free),
                         g_array_new(FALSE, FALSE, sizeof(HfRect))};
    hf_signs_forget(&work);
    for (guint i = 0; i < shapes->len; i++)
        if (hf_composing_shape(&work, i)->kind == HF_SHAPE_BOX ||
            hf_composing_shape(&work, i)->kind == HF_SHAPE_CIRCLE)
            add_tick(&work, i);
    for (guint i = 0; i < shapes->len; i++)
        if (hf_composing_shape(&work, i)->kind == HF_SHAPE_SWITCH ||
            hf_composing_shape(&work, i)->kind == HF_SHAPE_SLIDER)
            hf_knobs_add(&work, i);
    for (guint i = 0; i < shapes->len; i++)
        if (hf_composing_shape(&work, i)->kind == HF_SHAPE_FRAME ||
            hf_composing_shape(&work, i)->kind == HF_SHAPE_BUTTON)
            hf_frames_add(&work, i);
    for (guint i = 0; i < shapes->len; i++)
        if (hf_composing_shape(&work, i)->kind == HF_SHAPE_AREA)
            hf_frames_add_area(&work, i);
        else if (hf_composing_shape(&work, i)->kind == HF_SHAPE_PANEL) {
            hf_composing_add_panel(&work, hf_composing_shape(&work, i)->box);
            gone[i] = TRUE;
        }
    guint others = things->seen->len;
    for (guint i = 0; i < shapes->len && things->seen->len - others < HF_LIMIT_ICONS; i++)
        if (!gone[i])
            hf_signs_add(&work, i);
    hf_frames_label(&work);
    add_texts(&work);
    sort_as_read(things->seen);
}

void hf_things_clear(HfThings *things)
{
    g_clear_pointer(&things->seen, g_array_unref);
    g_clear_pointer(&things->kept, g_ptr_array_unref);
    g_clear_pointer(&things->panels, g_array_unref);
}
