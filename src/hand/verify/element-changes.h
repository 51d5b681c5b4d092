/* SPDX-License-Identifier: Apache-2.0 */
/* What has become of the elements of a program: two trees, compared, and of that only what an
 * action can have done. Pure. */
#pragma once

#include "hand/atspi/tree/tree.h"
#include "hand/verify/evidence-strength.h"
#include "hand/verify/idle-drawing.h"

typedef struct HfElementsChange {
    json_t *elements;         /* {new, gone, altered, more}; NULL: none */
    HfEvidenceStrength proof; /* what of it can only be the action's doing */
} HfElementsChange;

void hf_elements_change_clear(HfElementsChange *change);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(HfElementsChange, hf_elements_change_clear)

/* Elements that change by themselves, and how often they did. */
GHashTable *hf_elements_self_changing_new(void);
/* Both trees were read without an action between them. */
void hf_elements_note_self_changing(GHashTable *restless, HfTree *before, HfTree *now);

/* All after one action: what has changed twice does not stop there. */
void hf_elements_note_again(GHashTable *restless, HfTree *before, HfTree *meanwhile, HfTree *now);

/* What was acted on: the point (NULL: what has the focus), and whether that moves things. */
typedef struct HfElementsTarget {
    const HfPoint *point;
    gboolean moves;
    guint32 window;       /* the one acted on: elements of others prove nothing */
    const GArray *since;  /* of HfRect: what is there proves nothing; NULL: nowhere */
    gboolean watched;     /* for long before the action, */
    const GArray *lately; /* and meanwhile something was drawn there (HfRect, NULL: nowhere) */
    const HfIdleDrawing *places; /* that draw themselves again and again; NULL: none */
} HfElementsTarget;

/* Leaves out what says nothing: the focus, what was pressed looking pressed, tooltips, what is
 * restless, what was not fully known in one of the trees, what tells the time. A field that was
 * clicked and has got the focus counts: that is what such a click is for. */
void hf_elements_compare(HfTree *before, HfTree *now, const HfElementsTarget *aim,
                         GHashTable *restless, HfElementsChange *ret_change);

typedef enum HfTextSeen {
    HF_TEXT_UNKNOWN, /* there is no field with the focus that could be read */
    HF_TEXT_UNSEEN, /* the same for a text that is nothing but text: no key that sends it follows */
    HF_TEXT_SECURE, /* there is, but it must not be read */
    HF_TEXT_ARRIVED,
    HF_TEXT_MISSING,
} HfTextSeen;

/* Whether the field with the focus holds the text now, once more than before. */
HfTextSeen hf_elements_find_text(const HfTree *before, const HfTree *now, const char *text);
/* When nothing can be read. */
HfTextSeen hf_elements_text_unread(const char *text);
