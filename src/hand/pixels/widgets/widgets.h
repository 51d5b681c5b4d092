/* SPDX-License-Identifier: Apache-2.0 */
/* Widgets of a picture, made of its shapes and texts: a frame with a text in its middle is a button
 * of that name, an empty frame is a field, a small box with a text on its right is a check box.
 * Pure. */
#pragma once

#include "hand/atspi/tree/tree.h"
#include "hand/pixels/ocr/ocr-page.h"
#include "hand/pixels/shapes/shapes.h"

/* An element that was detected, in pixels of the screen. */
typedef struct HfDetection {
    guint32 window; /* where */
    HfRect box;
    int role;          /* what it is, or looks like */
    guint64 states;    /* see hand/atspi/tree/states.h */
    HfSource source;   /* OCR, PIXELS, DOM; several when they agree */
    const char *text;  /* its name; NULL: none */
    const char *label; /* the text beside it that says what it is for; NULL: none */
    double confidence;
    const HfNodePart *parts; /* of the text */
    int part_count;
    const char *looks; /* the same for the same picture; NULL: unknown */
    const char *dom;   /* what it is in its page; NULL: it is in none, or that is not known */
    const char *value; /* NULL: none, or not known */
    gboolean secure;   /* a password field, as its page says: its value is never reported */
    gboolean holds;    /* it is a group of others */
    int holder;        /* the group that it is in: the index of another + 1; 0: none */
} HfDetection;

static inline HfPoint hf_rect_middle(HfRect rect)
{
    return (HfPoint){rect.x + rect.width / 2, rect.y + rect.height / 2};
}

typedef struct HfWidgets {
    GArray *detected; /* of HfDetection, in reading order: from left to right in each row */
    GPtrArray *kept;  /* the memory that they point to */
    GArray *panels;   /* of HfRect: frames that may hold several of them */
} HfWidgets;

/* All in pixels of the screen: texts (HfDetection) that were read in a window, shapes (HfShape)
 * that were found in it, and rows (HfRect) that were not read yet. The texts' memory has to last.
 */
void hf_widgets_init(HfWidgets *widgets, const GArray *texts, const GArray *shapes,
                     const GArray *unread);
void hf_widgets_clear(HfWidgets *widgets);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(HfWidgets, hf_widgets_clear)

/* Adds a line of recognised text (HfDetection) from a picture that shows this part of the screen.
 * Its memory goes to `kept`, which frees it by g_free. */
void hf_ocr_line_add(GArray *texts, GPtrArray *kept, const HfOcrPageLine *line, HfRect area);
