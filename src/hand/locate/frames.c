/* SPDX-License-Identifier: Apache-2.0 */
/* Texts that a frame takes for its name are no elements of their own any more; those that only say
 * what a field is for stay what they are, since people point at them. Frames that hold several
 * things hold nothing together that anybody could press: they are left out. */
#include "hand/locate/frames.h"

#include <stdlib.h>

#include "hand/atspi/selector/proximity.h"
#include "hand/atspi/tree/roles.h"
#include "hand/atspi/tree/states.h"
#include "hand/locate/knobs.h"
#include "hand/locate/signs.h"

/* A text is in the middle of its frame if the space on its sides differs by no more. */
#define MIDDLE_PX      8
#define MIDDLE_PERCENT 12
/* From a label down to its field. */
#define ABOVE_PX 30
/* A field has room to write. */
#define FIELD_LEAST 40
/* A field has so much room above and below its text; the ground of a chosen entry has less. */
#define FIELD_ROOM 6
#define TYPED_ROOM 12
/* Texts in a frame further apart than so many of their heights are different things. */
#define APART 2

static int right_of(HfRect rect)
{
    return rect.x + rect.width;
}

/* ---- texts in frames ---- */

typedef struct Inside {
    guint first, count; /* index of one of them */
    HfRect box;         /* of all */
    gboolean apart;     /* they are several things */
} Inside;

static gboolean are_apart(HfRect a, HfRect b)
{
    int gap = MAX(a.x, b.x) - MIN(right_of(a), right_of(b));
    return gap > APART * MIN(a.height, b.height);
}

static Inside look_inside(const HfComposing *work, HfRect box)
{
    Inside inside = {0, 0, {0, 0, 0, 0}, FALSE};
    for (guint i = 0; i < work->texts->len; i++) {
        const HfSeen *text = hf_composing_text(work, i);
        if (work->used[i] || !hf_composing_lies_in(text->box, box))
            continue;
        if (inside.count++ == 0) {
            inside.first = i;
            inside.box = text->box;
            continue;
        }
        inside.apart = inside.apart || are_apart(inside.box, text->box);
        inside.box = hf_rect_unite(inside.box, text->box);
    }
    return inside;
}

/* The texts inside become its name. Where its words stand is known of a single line only. */
static void take_texts(HfComposing *work, HfRect box, const Inside *inside, HfSeen *seen)
{
    GString *name = g_string_new("");
    seen->confidence = 1;
    for (guint i = 0; i < work->texts->len; i++) {
        const HfSeen *text = hf_composing_text(work, i);
        if (work->used[i] || !hf_composing_lies_in(text->box, box))
            continue;
        g_string_append_printf(name, "%s%s", name->len ? " " : "", text->text);
        seen->confidence = MIN(seen->confidence, text->confidence);
        work->used[i] = TRUE;
    }
    char *joined = g_string_free(name, FALSE);
    g_ptr_array_add(work->things->kept, joined);
    seen->text = joined;
    seen->source |= HF_SOURCE_OCR;
    if (inside->count == 1) {
        seen->parts = hf_composing_text(work, inside->first)->parts;
        seen->part_count = hf_composing_text(work, inside->first)->part_count;
    }
}

static gboolean is_in_middle(HfRect text, HfRect frame)
{
    int left = text.x - frame.x, right = right_of(frame) - right_of(text);
    return abs(left - right) <= MAX(MIDDLE_PX, frame.width * MIDDLE_PERCENT / 100);
}

/* A small sign at the right end of a frame: the arrow of a list that drops down. */
static gboolean has_arrow(const HfComposing *work, HfRect frame)
{
    for (guint i = 0; i < work->shapes->len; i++) {
        const HfShape *shape = hf_composing_shape(work, i);
        if (shape->kind == HF_SHAPE_ICON && hf_composing_lies_in(shape->box, frame) &&
            hf_signs_find_word(work, shape->box) < 0 &&
            shape->box.width <= 2 * shape->box.height + 4 && shape->box.height <= 14 &&
            right_of(frame) - right_of(shape->box) <= 2 * shape->box.width + 4)
            return TRUE;
    }
    return FALSE;
}

/* Whether a sign stands in the middle of a frame. */
static gboolean has_symbol(const HfComposing *work, HfRect frame)
{
    for (guint i = 0; i < work->shapes->len; i++) {
        const HfShape *shape = hf_composing_shape(work, i);
        if (shape->kind == HF_SHAPE_ICON && hf_composing_lies_in(shape->box, frame) &&
            is_in_middle(shape->box, frame))
            return TRUE;
    }
    return FALSE;
}

/* What is drawn on a button is part of it. */
static void swallow(HfComposing *work, HfRect frame)
{
    for (guint i = 0; i < work->shapes->len; i++) {
        HfRect box = hf_composing_shape(work, i)->box;
        if (!hf_rect_equal(box, frame) && hf_composing_lies_in(box, frame))
            work->gone[i] = TRUE;
    }
}

/* ---- fields and their labels ---- */

static gboolean is_field(int role)
{
    return role == HF_ROLE_ENTRY || role == HF_ROLE_COMBO_BOX || role == HF_ROLE_TEXT;
}

/* As hf_proximity_label, but what is above a painted field must be close to it: there is nothing
 * else that holds them together. */
static double label_distance(HfRect label, HfRect field)
{
    double above = hf_proximity_from(label, field, HF_DIRECTION_BELOW);
    return above > ABOVE_PX ? -1 : hf_proximity_label(label, field);
}

/* The field that a text is the label of; -1: none. */
static int field_of(const HfComposing *work, HfRect label)
{
    int found = -1;
    double least = 0;
    for (guint i = 0; i < work->things->seen->len; i++) {
        const HfSeen *seen = &g_array_index(work->things->seen, HfSeen, i);
        double distance = is_field(seen->role) ? label_distance(label, seen->box) : -1;
        if (distance < 0 || (found >= 0 && distance >= least))
            continue;
        found = (int)i;
        least = distance;
    }
    return found;
}

static gboolean is_in_field(const HfComposing *work, HfRect text)
{
    for (guint i = 0; i < work->things->seen->len; i++) {
        const HfSeen *seen = &g_array_index(work->things->seen, HfSeen, i);
        if (is_field(seen->role) && hf_composing_lies_in(text, seen->box))
            return TRUE;
    }
    return FALSE;
}

/* Each field gets the nearest of the labels whose nearest field it is. */
static void give_labels(HfComposing *work)
{
    g_autofree double *distances = g_new0(double, work->things->seen->len + 1);
    for (guint i = 0; i < work->texts->len; i++) {
        const HfSeen *text = hf_composing_text(work, i);
        gboolean free =
            !work->used[i] && !is_in_field(work, text->box) && !hf_knobs_has_label(work, text);
        int field = free ? field_of(work, text->box) : -1;
        if (field < 0)
            continue;
        HfSeen *seen = &g_array_index(work->things->seen, HfSeen, field);
        double distance = label_distance(text->box, seen->box);
        if (seen->label && distances[field] <= distance)
            continue;
        seen->label = text->text;
        distances[field] = distance;
    }
}

/* What stands in a field that has no label says what to write there. */
static void name_unlabelled(HfComposing *work)
{
    for (guint i = 0; i < work->things->seen->len; i++) {
        HfSeen *seen = &g_array_index(work->things->seen, HfSeen, i);
        if (!is_field(seen->role) || seen->label)
            continue;
        Inside inside = look_inside(work, seen->box);
        if (inside.count > 0 && seen->role == HF_ROLE_TEXT)
            seen->label = hf_composing_text(work, inside.first)->text;
        else if (inside.count > 0)
            take_texts(work, seen->box, &inside, seen);
    }
}

/* ---- frames ---- */

/* A button shows what it does in its middle; a field has room to write. */
static int role_of_frame(const HfComposing *work, const HfShape *shape, const Inside *inside)
{
    gboolean middle = inside->count > 0 ? is_in_middle(inside->box, shape->box)
                                        : shape->marked || has_symbol(work, shape->box);
    if (shape->kind == HF_SHAPE_BUTTON || shape->box.width < FIELD_LEAST)
        return HF_ROLE_BUTTON;
    if (has_arrow(work, shape->box))
        return HF_ROLE_COMBO_BOX;
    if (middle)
        return HF_ROLE_BUTTON;
    if (inside->count > 0 && shape->box.height < inside->box.height + FIELD_ROOM)
        return HF_ROLE_LIST_ITEM;
    if (!shape->coloured)
        return HF_ROLE_ENTRY;
    return inside->count > 0 ? HF_ROLE_LIST_ITEM : HF_ROLE_BUTTON;
}

/* A frame around a switch is a row of settings. */
static gboolean holds_control(const HfComposing *work, HfRect frame)
{
    for (guint i = 0; i < work->shapes->len; i++) {
        const HfShape *shape = hf_composing_shape(work, i);
        if ((shape->kind == HF_SHAPE_SWITCH || shape->kind == HF_SHAPE_SLIDER) &&
            hf_composing_lies_in(shape->box, frame))
            return TRUE;
    }
    return FALSE;
}

static gboolean is_blank(const HfComposing *work, const HfShape *shape, const Inside *inside)
{
    return inside->count == 0 && !shape->marked && !has_symbol(work, shape->box);
}

/* Several lines may be a text or the entries of a list, and drawings make it a panel. What stands
 * in it stays what it is: it may be an entry of a list, and the middle is not where to click it. */
void hf_frames_add_area(HfComposing *work, guint index)
{
    const HfShape *shape = hf_composing_shape(work, index);
    guint things = look_inside(work, shape->box).count;
    for (guint i = 0; i < work->shapes->len; i++) {
        const HfShape *other = hf_composing_shape(work, i);
        things += i != index && hf_composing_lies_in(other->box, shape->box) &&
                  (other->kind != HF_SHAPE_ICON || hf_signs_find_word(work, other->box) < 0);
    }
    work->gone[index] = TRUE;
    if (things > 1)
        hf_composing_add_panel(work, shape->box);
    if (things > 1 || hf_composing_is_unread(work, shape->box))
        return;
    HfSeen seen = hf_composing_new_seen(work, shape, HF_ROLE_TEXT);
    g_array_append_val(work->things->seen, seen);
}

/* What a terminal writes is a button or a menu already: a ground right behind it only says that it
 * is the chosen one. */
static gboolean highlights_typed(HfComposing *work, HfRect frame)
{
    for (guint i = 0; i < work->texts->len; i++) {
        HfSeen *text = &g_array_index(work->texts, HfSeen, i);
        if (text->role == HF_ROLE_LABEL || !hf_composing_lies_in(text->box, frame) ||
            frame.height > text->box.height + TYPED_ROOM)
            continue;
        if (!text->label) /* each key of a bar has a ground of its own */
            text->states |= HF_STATE(HF_STATE_SELECTED);
        return TRUE;
    }
    return FALSE;
}

/* Three bars that fill a button are its symbol, whatever a reader makes of them; the = of a key is
 * smaller. */
static void forget_symbol(HfComposing *work, const HfShape *shape)
{
    for (guint i = 0; i < work->texts->len; i++) {
        const HfSeen *text = hf_composing_text(work, i);
        gboolean fills =
            text->box.width * 2 > shape->box.width && text->box.height * 2 > shape->box.height;
        if (shape->kind == HF_SHAPE_BUTTON && hf_composing_lies_in(text->box, shape->box) &&
            fills && !hf_signs_has_letters(text->text))
            work->used[i] = TRUE;
    }
}

void hf_frames_add(HfComposing *work, guint index)
{
    const HfShape *shape = hf_composing_shape(work, index);
    forget_symbol(work, shape);
    Inside inside = look_inside(work, shape->box);
    gboolean unknown = inside.count == 0 && hf_composing_is_unread(work, shape->box);
    HfSeen seen = hf_composing_new_seen(work, shape, role_of_frame(work, shape, &inside));
    work->gone[index] = TRUE;
    if (highlights_typed(work, shape->box))
        return;
    gboolean several = inside.apart || holds_control(work, shape->box);
    if (several)
        hf_composing_add_panel(work, shape->box);
    if (several || unknown || (seen.role == HF_ROLE_BUTTON && is_blank(work, shape, &inside)))
        return;
    if (seen.role == HF_ROLE_LIST_ITEM)
        seen.states = HF_STATE(HF_STATE_SELECTED);
    if (!is_field(seen.role) && inside.count > 0)
        take_texts(work, shape->box, &inside, &seen);
    if (seen.role != HF_ROLE_ENTRY)
        swallow(work, shape->box);
    g_array_append_val(work->things->seen, seen);
}

void hf_frames_label(HfComposing *work)
{
    give_labels(work);
    name_unlabelled(work);
}
