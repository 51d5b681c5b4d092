/* SPDX-License-Identifier: Apache-2.0 */
/* Compares the elements of a program before an action with those after it, and keeps only what the
 * action can have done. Pure. */
#pragma once

#include "hand/atspi/tree/tree.h"
#include "hand/verify/evidence-strength.h"
#include "hand/verify/idle-drawing.h"

typedef struct HfElementsChange {
    json_t *elements;         /* {new, gone, altered, more}; NULL: none */
    HfEvidenceStrength proof; /* what only the action can have done */
} HfElementsChange;

void hf_elements_change_clear(HfElementsChange *change);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(HfElementsChange, hf_elements_change_clear)

/* A table of the elements that change by themselves, and how often they did. */
GHashTable *hf_elements_self_changing_new(void);
/* There was no action between the two trees. */
void hf_elements_note_self_changing(GHashTable *table, HfTree *before, HfTree *now);

/* `meanwhile` and `now` follow one action: what changed twice changes by itself. */
void hf_elements_note_again(GHashTable *table, HfTree *before, HfTree *meanwhile, HfTree *now);

/* What is known about the action. */
typedef struct HfElementsContext {
    const HfPoint *point;      /* where it went; NULL: to the focused element */
    gboolean moves;            /* it moves things, as scrolling does */
    guint32 window;            /* the one acted on: elements of others prove nothing */
    const GArray *since;       /* of HfRect: elements there prove nothing; NULL: nowhere */
    gboolean watched;          /* the elements were still for long before the action, */
    const GArray *lately;      /* except where something was drawn (HfRect, NULL: nowhere) */
    const HfIdleDrawing *idle; /* places that are redrawn again and again; NULL: none */
} HfElementsContext;

/* Leaves out what proves nothing: the focus, a button that looks pressed, tooltips, what changes by
 * itself, what was not fully known in one of the trees, clocks. A field that was clicked and got
 * the focus counts. */
void hf_elements_compare(HfTree *before, HfTree *now, const HfElementsContext *context,
                         GHashTable *self_changing, HfElementsChange *ret_change);

typedef enum HfTextSeen {
    HF_TEXT_UNKNOWN,  /* no focused field can be read */
    HF_TEXT_UNSEEN,   /* the same, for a text that does not end with a key that sends it */
    HF_TEXT_PASSWORD, /* the field must not be read */
    HF_TEXT_ARRIVED,
    HF_TEXT_MISSING,
} HfTextSeen;

/* Whether the focused field contains the text now, once more than before. */
HfTextSeen hf_elements_find_text(const HfTree *before, const HfTree *now, const char *text);
/* The answer when nothing can be read. */
HfTextSeen hf_elements_text_unread(const char *text);
