/* SPDX-License-Identifier: Apache-2.0 */
/* The best of all readings, one for each place, and whether it is clear which one is meant. An
 * answer that is wrong and sure of itself is worse than none: what is doubtful says so. */
#include "hand/locate/pick.h"

#include "hand/atspi/selector/text-condition.h"
#include "hand/locate/phrase.h"

/* Less is not worth telling. */
#define LEAST_CONFIDENCE 0.2
/* From here on an answer may be sure of itself, if the next one has at most this part of it. */
#define SURE         0.76
#define NEXT_AT_MOST 0.84

static int compare(gconstpointer a, gconstpointer b)
{
    const HfPicked *left = a, *right = b;
    if (left->confidence != right->confidence)
        return left->confidence < right->confidence ? 1 : -1;
    return left->thing - right->thing;
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(HfTextCondition, hf_text_condition_clear)

static gboolean is_told_already(const HfScene *scene, const GArray *found, int index)
{
    for (guint i = 0; i < found->len; i++)
        if (hf_things_are_one(hf_scene_get(scene, g_array_index(found, HfPicked, i).thing),
                              hf_scene_get(scene, index)))
            return TRUE;
    return FALSE;
}

/* A row is pointed at by what is written in it. */
static HfRect place_in_row(const HfScene *scene, const HfThing *row)
{
    for (guint i = 0; i < scene->things->len; i++) {
        const HfThing *thing = hf_scene_get(scene, (int)i);
        if (thing->row == row->as_row && thing->text_count > 0 &&
            thing->texts[0].of == HF_TEXT_OF_NAME)
            return thing->box;
    }
    return row->box;
}

/* Where the words stand, of a line that has more. */
static HfRect place_of(const HfScene *scene, int index, const HfMark *mark)
{
    const HfThing *thing = hf_scene_get(scene, index);
    if (thing->grouped && thing->as_row != HF_NODE_NONE)
        return place_in_row(scene, thing);
    if (thing->node == HF_NODE_NONE || !mark->reading || !mark->reading->name ||
        mark->how != HF_NAME_HAS || !hf_thing_is_painted(thing))
        return thing->box;
    g_auto(HfTextCondition) test = {0};
    if (!hf_text_condition_init(&test, HF_TEXT_CONTAINS, mark->reading->name->normal, "description",
                                NULL))
        return thing->box;
    HfRect part = hf_phrase_find(hf_tree_get(scene->tree, thing->node), &test);
    HfRect common = hf_rect_intersect(part, thing->box);
    return hf_rect_is_empty(common) ? thing->box : common;
}

/* What is only held together by its looks is meant when it is asked for, and never by the way. */
static gboolean may_be_meant(const HfScene *scene, int index, const HfMark *mark)
{
    gboolean by_contents = mark->reading->name && mark->of == HF_TEXT_OF_CONTENTS;
    return !hf_scene_get(scene, index)->grouped ||
           (hf_kind_is_area(mark->reading->kind) && !by_contents);
}

static GArray *rank(const HfScene *scene, const HfMark *marks)
{
    g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(HfPicked));
    for (guint i = 0; i < scene->things->len; i++) {
        HfPicked picked = {(int)i, MIN(1, marks[i].score), {0, 0, 0, 0}, marks[i]};
        if (picked.confidence >= LEAST_CONFIDENCE && may_be_meant(scene, (int)i, &marks[i]))
            g_array_append_val(all, picked);
    }
    g_array_sort(all, compare);
    GArray *found = g_array_new(FALSE, FALSE, sizeof(HfPicked));
    for (guint i = 0; i < all->len; i++) {
        HfPicked *picked = &g_array_index(all, HfPicked, i);
        if (is_told_already(scene, found, picked->thing))
            continue;
        picked->box = place_of(scene, picked->thing, &picked->mark);
        g_array_append_val(found, *picked);
    }
    return found;
}

static gboolean is_clear(const GArray *found)
{
    if (found->len == 0)
        return FALSE;
    double best = g_array_index(found, HfPicked, 0).confidence;
    double next = found->len > 1 ? g_array_index(found, HfPicked, 1).confidence : 0;
    return best >= SURE && next <= NEXT_AT_MOST * best;
}

HfPick *hf_scene_pick(const HfScene *scene, const HfDescription *description)
{
    g_autofree HfMark *marks = g_new0(HfMark, scene->things->len + 1);
    hf_weigh_all(scene, description, marks);
    HfPick *pick = g_new0(HfPick, 1);
    pick->found = rank(scene, marks);
    pick->confident = is_clear(pick->found);
    return pick;
}

void hf_pick_free(HfPick *pick)
{
    if (!pick)
        return;
    g_array_unref(pick->found);
    g_free(pick);
}
