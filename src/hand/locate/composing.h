/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of composing share: see things.c. */
#pragma once

#include "hand/locate/things.h"

typedef struct HfComposing {
    HfThings *things;
    const GArray *texts, *shapes, *unread;
    gboolean *used;    /* for each text: it is part of a shape */
    gboolean *nothing; /* for each text: it is no text at all */
    gboolean *gone;    /* for each shape: it is part of another, or nothing */
} HfComposing;

static inline const HfSeen *hf_composing_text(const HfComposing *work, guint index)
{
    return &g_array_index(work->texts, HfSeen, index);
}

static inline const HfShape *hf_composing_shape(const HfComposing *work, guint index)
{
    return &g_array_index(work->shapes, HfShape, index);
}

/* More than half of it. */
static inline gboolean hf_composing_lies_in(HfRect inner, HfRect outer)
{
    HfRect common = hf_rect_intersect(inner, outer);
    return (gint64)common.width * common.height * 2 > (gint64)inner.width * inner.height;
}

/* A frame that holds several things. */
void hf_composing_add_panel(HfComposing *work, HfRect box);
/* Whether something stands there that nobody has read. */
gboolean hf_composing_is_unread(const HfComposing *work, HfRect box);
/* A shape as an element, without a name. */
HfSeen hf_composing_new_seen(HfComposing *work, const HfShape *shape, int role);
/* The text becomes its name, and is no element of its own. */
void hf_composing_take_text(HfComposing *work, guint index, HfSeen *seen);
