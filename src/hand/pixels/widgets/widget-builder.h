/* SPDX-License-Identifier: Apache-2.0 */
/* What widgets.c and framed-widgets.c share. */
#pragma once

#include "hand/pixels/widgets/widgets.h"

typedef struct HfWidgetBuilder {
    HfWidgets *widgets;
    const GArray *texts, *shapes, *unread;
    gboolean *used;    /* for each text: it is part of a shape */
    gboolean *nothing; /* for each text: it is not text at all */
    gboolean *gone;    /* for each shape: it is part of another, or nothing */
} HfWidgetBuilder;

static inline const HfDetection *hf_builder_text(const HfWidgetBuilder *work, guint index)
{
    return &g_array_index(work->texts, HfDetection, index);
}

static inline const HfShape *hf_builder_shape(const HfWidgetBuilder *work, guint index)
{
    return &g_array_index(work->shapes, HfShape, index);
}

/* Whether something stands there that was not read yet. */
gboolean hf_builder_is_unread(const HfWidgetBuilder *work, HfRect box);
/* A shape as a widget without a name. */
HfDetection hf_builder_new_widget(HfWidgetBuilder *work, const HfShape *shape, int role);
/* The text becomes its name, and is not an element by itself. */
void hf_builder_take_text(HfWidgetBuilder *work, guint index, HfDetection *widget);
/* Whether a text is the label of a switch or slider, so that it labels nothing else. */
gboolean hf_builder_labels_switch(const HfWidgetBuilder *work, const HfDetection *text);
/* The text that a drawing is, or is part of, or one of several that it consists of: small print in
 * columns runs together. -1: it is an icon. */
int hf_icon_find_word(const HfWidgetBuilder *work, HfRect box);

/* ---- framed-widgets.c: buttons by what stands in their middle, fields by the room in them ---- */

/* Adds a frame, called by what stands in it. */
void hf_framed_widget_add(HfWidgetBuilder *work, guint index);
/* Adds an area as a field of several lines, unless it holds more than one widget. */
void hf_text_area_add(HfWidgetBuilder *work, guint index);
/* After all frames are added: names each field by the label beside it, or by its contents. */
void hf_fields_add_labels(HfWidgetBuilder *work);
