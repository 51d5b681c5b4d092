/* SPDX-License-Identifier: Apache-2.0 */
/* Which elements of a scene a description means, best first, each with a confidence and reasons.
 * Pure: the same scene and words give the same answer. */
#pragma once

#include "hand/locate/description.h"
#include "hand/locate/scene.h"

/* A part of the description that an element does not certainly fulfil. An element with a doubt is
 * never a confident answer. */
typedef enum HfMatchDoubt {
    HF_DOUBT_NAME = 1 << 0,     /* it has only some of the words, or more, or is spelt otherwise */
    HF_DOUBT_KIND = 1 << 1,     /* its role is not the one that was said, or none was said */
    HF_DOUBT_STATE = 1 << 2,    /* another state, or nobody knows */
    HF_DOUBT_RELATION = 1 << 3, /* it does not lie so, or the anchor is doubtful */
    HF_DOUBT_POSITION = 1 << 4, /* it is not there */
    HF_DOUBT_ORDINAL = 1 << 5,  /* it is not the one that was counted, or the count is doubtful */
    HF_DOUBT_WORDS = 1 << 6,    /* some words of the description were not understood */
} HfMatchDoubt;

typedef struct HfElementMatch {
    double score;   /* from 0 to 1 */
    guint doubts;   /* HfMatchDoubt */
    gboolean whole; /* all words were taken for its name */
    HfNameMatchKind name;
    int text; /* which of its texts has the name */
    HfKindMatch kind;
    int anchor; /* the element that it is related to; -1: none */
    int group;  /* how many there are, of which it is the nth */
} HfElementMatch;

typedef struct HfCandidateElement {
    int element;
    HfElementMatch match;
} HfCandidateElement;

typedef struct HfDescriptionMatch {
    GArray *found;      /* of HfCandidateElement, best first; one for each place */
    gboolean confident; /* the first one fulfils all that was said, and no other does */
} HfDescriptionMatch;

HfDescriptionMatch *hf_description_match(const HfScene *scene, const HfDescription *description);
void hf_description_match_free(HfDescriptionMatch *match);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfDescriptionMatch, hf_description_match_free)

/* What speaks for a candidate, in words, one reason on each line. */
char *hf_candidate_reasons(const HfScene *scene, const HfDescription *description,
                           const HfCandidateElement *candidate, gboolean chinese);

/* ---- the parts of it ---- */

/* Fills `matches`, one for each element, with how well it fits all of the description. */
void hf_match_elements(const HfScene *scene, const HfDescription *description,
                       HfElementMatch *matches);
/* Each of these lowers the score of elements that do not fit, and notes doubts. */
void hf_match_relation(const HfScene *scene, const HfDescription *description,
                       HfElementMatch *matches);
/* An empty area: the front window, or its page. */
void hf_match_position(const HfScene *scene, HfPosition position, HfRect area,
                       HfElementMatch *matches);
void hf_match_ordinal(const HfScene *scene, const HfDescription *description,
                      HfElementMatch *matches);

/* The score of an element that does not lie where it should is multiplied by this. */
#define HF_MATCH_ELSEWHERE 0.12

static inline double hf_match_best_score(const HfScene *scene, const HfElementMatch *matches)
{
    double best = 0;
    for (guint i = 0; i < scene->elements->len; i++)
        best = MAX(best, matches[i].score);
    return best;
}

/* Whether two lengths have half of the shorter one in common. */
static inline gboolean hf_spans_overlap(int a, int a_length, int b, int b_length)
{
    int common = MIN(a + a_length, b + b_length) - MAX(a, b);
    return common * 2 >= MIN(a_length, b_length);
}
