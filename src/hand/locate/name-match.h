/* SPDX-License-Identifier: Apache-2.0 */
/* Names, and how well the words of a description fit them. Names are cut into words, also in
 * languages without blanks, and synonyms (data/synonyms.json) are known. Pure. */
#pragma once

#include <glib.h>

/* Groups of synonyms that one word, or a whole name, may be in. */
#define HF_NAME_GROUPS 6

typedef struct HfNameWord {
    char *text, *stem;
    guint16 groups[HF_NAME_GROUPS]; /* of synonyms, from 1 on; 0: no more */
    gboolean stop;                  /* a stop word: it need not be matched */
    gboolean wide;                  /* of a language without blanks */
} HfNameWord;

typedef struct HfElementName {
    char *text;                     /* as it is written */
    char *normal;                   /* see hf_label_normal */
    char *compact;                  /* its letters and digits alone */
    GArray *words;                  /* of HfNameWord */
    guint16 groups[HF_NAME_GROUPS]; /* of synonyms that the whole name is in */
} HfElementName;

HfElementName *hf_element_name_new(const char *text);
void hf_element_name_free(HfElementName *name);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfElementName, hf_element_name_free)

/* Worst first. From SYNONYM on, every word on both sides is matched. */
typedef enum HfNameMatchKind {
    HF_NAME_MATCH_NONE,
    HF_NAME_MATCH_PARTIAL,  /* it has some of the words */
    HF_NAME_MATCH_SIMILAR,  /* it is spelt almost so */
    HF_NAME_MATCH_CONTAINS, /* it has all of the words, and more */
    HF_NAME_MATCH_SYNONYM,
    HF_NAME_MATCH_WORDS, /* it has the same words */
    HF_NAME_MATCH_SAME,
    HF_NAME_MATCH_COUNT,
} HfNameMatchKind;

typedef struct HfNameMatch {
    double score; /* from 0 to 1 */
    HfNameMatchKind kind;
} HfNameMatch;

HfNameMatch hf_name_match(const HfElementName *wanted, const HfElementName *own);

/* ---- synonyms, read once ---- */

/* The groups (guint16, from 1 on) of a word, or of several with one blank between them, folded;
 * NULL when it is in none. */
const GArray *hf_synonyms_find(const char *folded);
/* Whether the word is said of everything, so that it need not be matched. */
gboolean hf_synonyms_is_stop_word(const char *folded);
/* Whether it says what is drawn, as "gear": a name with that meaning is not what was said. */
gboolean hf_synonyms_is_picture_word(const char *folded);
/* The end of the longest entry that begins here: of several words, or of letters without blanks;
 * `begin` itself when there is none. */
const char *hf_synonyms_end_of_entry(const char *begin);
/* The most words of one entry, and the most letters of one without blanks. */
#define HF_SYNONYM_WORDS   4
#define HF_SYNONYM_LETTERS 8
