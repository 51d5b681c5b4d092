/* SPDX-License-Identifier: Apache-2.0 */
/* A text that names a frame is not an element by itself. The label of a field stays one, since
 * people point at it. Frames that hold several widgets are panels, and no widgets. */
#include "hand/pixels/widgets/widget-builder.h"

#include <stdlib.h>

#include "hand/atspi/selector/proximity.h"
#include "hand/atspi/tree/roles.h"
#include "hand/atspi/tree/states.h"

/* A text is centred in its frame if the space on its sides differs by no more. */
#define MIDDLE_PX      8
#define MIDDLE_PERCENT 12
/* From a label down to its field. */
#define ABOVE_PX 30
/* A narrower frame is not a field. */
#define FIELD_LEAST 40
/* A field has this much room above and below its text; the ground of a highlighted entry has
 * less. */
#define FIELD_ROOM 6
#define TYPED_ROOM 12
/* Texts that are further apart than so many of their heights are different things. */
#define APART 2

static int right_edge_of(HfRect rect)
{
    return rect.x + rect.width;
}

/* ---- texts in frames ---- */

typedef struct Inside {
    guint first, count; /* index of one of them */
    HfRect box;         /* of all */
    gboolean apart;     /* they are different things */
} Inside;

static Inside find_texts_inside(const HfWidgetBuilder *work, HfRect box)
{
    Inside inside = {0, 0, {0, 0, 0, 0}, FALSE};
    for (guint i = 0; i < work->texts->len; i++) {
        const HfDetection *text = hf_builder_text(work, i);
        if (work->used[i] || !hf_box_is_mostly_in(text->box, box))
            continue;
        if (inside.count++ == 0) {
            inside.first = i;
            inside.box = text->box;
            continue;
        }
        int gap = MAX(inside.box.x, text->box.x) -
                  MIN(right_edge_of(inside.box), right_edge_of(text->box));
        inside.apart |= gap > APART * MIN(inside.box.height, text->box.height);
        inside.box = hf_rect_unite(inside.box, text->box);
    }
    return inside;
}

/* The texts inside become its name. The places of words are known for a single line only. */
static void take_texts_as_name(HfWidgetBuilder *work, HfRect box, const Inside *inside,
                               HfDetection *element)
{
    GString *name = g_string_new("");
    element->confidence = 1;
    for (guint i = 0; i < work->texts->len; i++) {
        const HfDetection *text = hf_builder_text(work, i);
        if (work->used[i] || !hf_box_is_mostly_in(text->box, box))
            continue;
        g_string_append_printf(name, "%s%s", name->len ? " " : "", text->text);
        element->confidence = MIN(element->confidence, text->confidence);
        work->used[i] = TRUE;
    }
    char *joined = g_string_free(name, FALSE);
    g_ptr_array_add(work->widgets->kept, joined);
    element->text = joined;
    element->source |= HF_SOURCE_OCR;
    if (inside->count == 1) {
        element->parts = hf_builder_text(work, inside->first)->parts;
        element->part_count = hf_builder_text(work, inside->first)->part_count;
    }
}

static gboolean is_centred_in(HfRect text, HfRect frame)
{
    int left = text.x - frame.x, right = right_edge_of(frame) - right_edge_of(text);
    return abs(left - right) <= MAX(MIDDLE_PX, frame.width * MIDDLE_PERCENT / 100);
}

/* A small icon at the right end of a frame is the arrow of a combo box. */
static gboolean has_drop_down_arrow(const HfWidgetBuilder *work, HfRect frame)
{
    for (guint i = 0; i < work->shapes->len; i++) {
        const HfShape *shape = hf_builder_shape(work, i);
        if (shape->kind == HF_SHAPE_ICON && hf_box_is_mostly_in(shape->box, frame) &&
            hf_icon_find_word(work, shape->box) < 0 &&
            shape->box.width <= 2 * shape->box.height + 4 && shape->box.height <= 14 &&
            right_edge_of(frame) - right_edge_of(shape->box) <= 2 * shape->box.width + 4)
            return TRUE;
    }
    return FALSE;
}

static gboolean has_centred_symbol(const HfWidgetBuilder *work, HfRect frame)
{
    for (guint i = 0; i < work->shapes->len; i++) {
        const HfShape *shape = hf_builder_shape(work, i);
        if (shape->kind == HF_SHAPE_ICON && hf_box_is_mostly_in(shape->box, frame) &&
            is_centred_in(shape->box, frame))
            return TRUE;
    }
    return FALSE;
}

/* What is drawn on a button is part of it. */
static void absorb_drawings(HfWidgetBuilder *work, HfRect frame)
{
    for (guint i = 0; i < work->shapes->len; i++) {
        HfRect box = hf_builder_shape(work, i)->box;
        if (!hf_rect_equal(box, frame) && hf_box_is_mostly_in(box, frame))
            work->gone[i] = TRUE;
    }
}

/* ---- fields and their labels ---- */

static gboolean is_field_role(int role)
{
    return role == HF_ROLE_ENTRY || role == HF_ROLE_COMBO_BOX || role == HF_ROLE_TEXT;
}

/* As hf_proximity_label, but a label above a painted field must be close to it, since nothing else
 * connects them. */
static double distance_to_painted_label(HfRect label, HfRect field)
{
    double above = hf_proximity_from(label, field, HF_DIRECTION_BELOW);
    return above > ABOVE_PX ? -1 : hf_proximity_label(label, field);
}

/* The field that a text is the label of; -1: none. */
static int find_labelled_field(const HfWidgetBuilder *work, HfRect label)
{
    int found = -1;
    double least = 0;
    for (guint i = 0; i < work->widgets->detected->len; i++) {
        const HfDetection *element = &g_array_index(work->widgets->detected, HfDetection, i);
        double distance =
            is_field_role(element->role) ? distance_to_painted_label(label, element->box) : -1;
        if (distance < 0 || (found >= 0 && distance >= least))
            continue;
        found = (int)i;
        least = distance;
    }
    return found;
}

static gboolean is_text_in_field(const HfWidgetBuilder *work, HfRect text)
{
    for (guint i = 0; i < work->widgets->detected->len; i++) {
        const HfDetection *element = &g_array_index(work->widgets->detected, HfDetection, i);
        if (is_field_role(element->role) && hf_box_is_mostly_in(text, element->box))
            return TRUE;
    }
    return FALSE;
}

/* Each field gets the nearest of the labels whose nearest field it is. */
static void label_fields(HfWidgetBuilder *work)
{
    g_autofree double *distances = g_new0(double, work->widgets->detected->len + 1);
    for (guint i = 0; i < work->texts->len; i++) {
        const HfDetection *text = hf_builder_text(work, i);
        gboolean free = !work->used[i] && !is_text_in_field(work, text->box) &&
                        !hf_builder_labels_switch(work, text);
        int field = free ? find_labelled_field(work, text->box) : -1;
        if (field < 0)
            continue;
        HfDetection *element = &g_array_index(work->widgets->detected, HfDetection, field);
        double distance = distance_to_painted_label(text->box, element->box);
        if (element->label && distances[field] <= distance)
            continue;
        element->label = text->text;
        distances[field] = distance;
    }
}

/* The text in a field without a label is its placeholder, and becomes its name. */
void hf_fields_add_labels(HfWidgetBuilder *work)
{
    label_fields(work);
    for (guint i = 0; i < work->widgets->detected->len; i++) {
        HfDetection *element = &g_array_index(work->widgets->detected, HfDetection, i);
        if (!is_field_role(element->role) || element->label)
            continue;
        Inside inside = find_texts_inside(work, element->box);
        if (inside.count > 0 && element->role == HF_ROLE_TEXT)
            element->label = hf_builder_text(work, inside.first)->text;
        else if (inside.count > 0)
            take_texts_as_name(work, element->box, &inside, element);
    }
}

/* ---- frames ---- */

/* A button shows its name in the middle; a field has room to write. */
static int role_of_frame(const HfWidgetBuilder *work, const HfShape *shape, const Inside *inside)
{
    gboolean middle = inside->count > 0 ? is_centred_in(inside->box, shape->box)
                                        : shape->marked || has_centred_symbol(work, shape->box);
    if (shape->kind == HF_SHAPE_BUTTON || shape->box.width < FIELD_LEAST)
        return HF_ROLE_BUTTON;
    if (has_drop_down_arrow(work, shape->box))
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
static gboolean holds_switch_or_slider(const HfWidgetBuilder *work, HfRect frame)
{
    for (guint i = 0; i < work->shapes->len; i++) {
        const HfShape *shape = hf_builder_shape(work, i);
        if ((shape->kind == HF_SHAPE_SWITCH || shape->kind == HF_SHAPE_SLIDER) &&
            hf_box_is_mostly_in(shape->box, frame))
            return TRUE;
    }
    return FALSE;
}

/* Several lines may be a text or the entries of a list, and with drawings it is a panel. The
 * texts in it stay elements, since one may be an entry to click. */
void hf_text_area_add(HfWidgetBuilder *work, guint index)
{
    const HfShape *shape = hf_builder_shape(work, index);
    guint widgets = find_texts_inside(work, shape->box).count;
    for (guint i = 0; i < work->shapes->len; i++) {
        const HfShape *other = hf_builder_shape(work, i);
        widgets += i != index && hf_box_is_mostly_in(other->box, shape->box) &&
                   (other->kind != HF_SHAPE_ICON || hf_icon_find_word(work, other->box) < 0);
    }
    work->gone[index] = TRUE;
    if (widgets > 1)
        g_array_append_val(work->widgets->panels, shape->box);
    if (widgets > 1 || hf_builder_is_unread(work, shape->box))
        return;
    HfDetection element = hf_builder_new_widget(work, shape, HF_ROLE_TEXT);
    g_array_append_val(work->widgets->detected, element);
}

/* A terminal text is a button or a menu already; a ground right behind it only marks it as
 * selected. */
static gboolean highlights_terminal_text(HfWidgetBuilder *work, HfRect frame)
{
    for (guint i = 0; i < work->texts->len; i++) {
        HfDetection *text = &g_array_index(work->texts, HfDetection, i);
        if (text->role == HF_ROLE_LABEL || !hf_box_is_mostly_in(text->box, frame) ||
            frame.height > text->box.height + TYPED_ROOM)
            continue;
        if (!text->label) /* every function key has its own ground */
            text->states |= HF_STATE(HF_STATE_SELECTED);
        return TRUE;
    }
    return FALSE;
}

/* Three bars that fill a button are its symbol, whatever OCR reads; the = of a key is smaller. */
static void drop_misread_symbol(HfWidgetBuilder *work, const HfShape *shape)
{
    for (guint i = 0; i < work->texts->len; i++) {
        const HfDetection *text = hf_builder_text(work, i);
        gboolean fills =
            text->box.width * 2 > shape->box.width && text->box.height * 2 > shape->box.height;
        if (shape->kind == HF_SHAPE_BUTTON && hf_box_is_mostly_in(text->box, shape->box) && fills &&
            (!text->text || hf_text_count_letters(text->text) == 0))
            work->used[i] = TRUE;
    }
}

void hf_framed_widget_add(HfWidgetBuilder *work, guint index)
{
    const HfShape *shape = hf_builder_shape(work, index);
    drop_misread_symbol(work, shape);
    Inside inside = find_texts_inside(work, shape->box);
    gboolean unknown = inside.count == 0 && hf_builder_is_unread(work, shape->box);
    HfDetection element = hf_builder_new_widget(work, shape, role_of_frame(work, shape, &inside));
    work->gone[index] = TRUE;
    if (highlights_terminal_text(work, shape->box))
        return;
    gboolean several = inside.apart || holds_switch_or_slider(work, shape->box);
    if (several)
        g_array_append_val(work->widgets->panels, shape->box);
    if (several || unknown ||
        (element.role == HF_ROLE_BUTTON && inside.count == 0 && !shape->marked &&
         !has_centred_symbol(work, shape->box)))
        return;
    if (element.role == HF_ROLE_LIST_ITEM)
        element.states = HF_STATE(HF_STATE_SELECTED);
    if (!is_field_role(element.role) && inside.count > 0)
        take_texts_as_name(work, shape->box, &inside, &element);
    if (element.role != HF_ROLE_ENTRY)
        absorb_drawings(work, shape->box);
    g_array_append_val(work->widgets->detected, element);
}
