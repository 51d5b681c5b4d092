/* SPDX-License-Identifier: Apache-2.0 */
/* What people call things, word by word: names are cut into words, also where a language writes
 * none between blanks, and words that mean the same (data/synonyms.json) are known as such. Pure.
 */
#pragma once

#include <glib.h>

/* Groups of synonyms that one word may stand in. */
#define HF_WORD_GROUPS 6

typedef struct HfWord {
    char *text, *stem;
    guint16 groups[HF_WORD_GROUPS]; /* from 1 on; 0: no more */
    double weight;                  /* how much it tells */
    gboolean wide;                  /* of a language without blanks */
} HfWord;

/* A name, or what somebody calls one. */
typedef struct HfName {
    char *text;    /* as it is written */
    char *normal;  /* see hf_label_normal */
    char *compact; /* its letters and digits alone */
    GArray *words; /* of HfWord; entries of the synonyms as long as possible: "discard changes" */
    double weight; /* of all words */
    GArray *parts; /* the same cut into shorter ones: "discard", "changes"; NULL: as above */
    double parts_weight;
} HfName;

HfName *hf_name_new(const char *text);
/* One of which every word counts, also those that are said of everything. */
HfName *hf_name_new_literal(const char *text);
void hf_name_free(HfName *name);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfName, hf_name_free)

typedef enum HfNameHow {
    HF_NAME_OTHER,
    HF_NAME_LIKE,   /* spelt alike */
    HF_NAME_SHARES, /* has some of the words */
    HF_NAME_HAS,    /* has all of them, and more */
    HF_NAME_MEANS,  /* synonyms */
    HF_NAME_WORDS,  /* the same words */
    HF_NAME_SAME,
    HF_NAME_HOW_COUNT,
} HfNameHow;

typedef struct HfNameFit {
    double score; /* from 0 to 1 */
    HfNameHow how;
} HfNameFit;

/* How well something that is called `own` is meant by `wanted`. */
HfNameFit hf_name_fit(const HfName *wanted, const HfName *own);
/* Whether nothing is left of it but words that are said of everything. */
gboolean hf_name_is_weak(const HfName *name);
/* Whether it says a picture, and nothing else. */
gboolean hf_name_is_drawn(const HfName *name);
