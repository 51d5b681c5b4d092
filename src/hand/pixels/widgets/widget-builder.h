/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of widgets.c share. */
#pragma once

#include "hand/pixels/widgets/widgets.h"

typedef struct HfWidgetBuilder {
    HfWidgets *widgets;
    const GArray *texts, *shapes, *unread;
    gboolean *used;    /* for each text: it is part of a shape */
    gboolean *nothing; /* for each text: it is no text at all */
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

/* A frame that holds several widgets. */
void hf_builder_add_panel(HfWidgetBuilder *work, HfRect box);
/* Whether something stands there that was not read yet. */
gboolean hf_builder_is_unread(const HfWidgetBuilder *work, HfRect box);
/* A shape as a widget without a name. */
HfDetection hf_builder_new_widget(HfWidgetBuilder *work, const HfShape *shape, int role);
/* The text becomes its name, and is no element by itself. */
void hf_builder_take_text(HfWidgetBuilder *work, guint index, HfDetection *widget);
/* Whether a text is the label of a switch or slider, so that it labels nothing else. */
gboolean hf_builder_labels_switch(const HfWidgetBuilder *work, const HfDetection *text);

/* ---- framed-widgets.c: buttons by what stands in their middle, fields by the room in them ---- */

/* Adds a frame, called by what stands in it. */
void hf_framed_widget_add(HfWidgetBuilder *work, guint index);
/* Adds an area as a field of several lines, unless it holds more than one widget. */
void hf_text_area_add(HfWidgetBuilder *work, guint index);
/* When all frames are there: fields are called by the label beside them, or by what is in them. */
void hf_fields_add_labels(HfWidgetBuilder *work);

/* ---- icon-label.c: drawings are icons, or words that were read ---- */

/* Whether there are letters or digits in a text. */
gboolean hf_text_has_letters(const char *text);
/* Drops texts that were read from drawings. */
void hf_icons_drop_misread_texts(HfWidgetBuilder *work);
/* The text that a drawing is, or is part of, or one of several that it consists of: small print in
 * columns runs together. -1: it is an icon. */
int hf_icon_find_word(const HfWidgetBuilder *work, HfRect box);
/* Adds a drawing that is no word, as an icon. */
void hf_icon_add(HfWidgetBuilder *work, guint index);
