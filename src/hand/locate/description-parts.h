/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of understanding a description share. For description*.c alone. */
#pragma once

#include "hand/locate/description-words.h"

typedef struct HfParser {
    guint readings; /* so far */
} HfParser;

/* A part of the terms. */
typedef struct HfRange {
    const HfTerm *terms;
    int count;
} HfRange;

/* Which words are taken for what they mean, and not for a part of the name. */
typedef enum HfSense {
    HF_SENSE_ALL,
    HF_SENSE_KIND, /* only what it is */
    HF_SENSE_NONE,
} HfSense;

/* Whether it says nothing by itself. */
gboolean hf_term_is_idle(const HfTerm *term);
gboolean hf_term_is(const HfTerm *term, const char *word);
/* The value of a name that was said to be one: "named Otto", 写着 Otto. */
#define HF_NAME_CALLED 1
/* Of a language without blanks. */
gboolean hf_term_is_wide(const HfTerm *term);
/* Without what says nothing at its ends. */
HfRange hf_range_trim(HfRange range);
/* Of the terms as they were cut, each by what stands around it: "in the far top-right corner"
 * becomes one, and a word that means something is a name where it can be nothing else. */
void hf_terms_settle(GArray *terms);

HfDescription *hf_description_new_empty(void);
/* The readings of a thing by itself, without what it is tied to. */
void hf_parser_add_things(HfParser *parser, HfDescription *to, HfRange range, double prior);
/* The same for a word that nobody knows, of what lies somewhere: it may be anything there. */
void hf_parser_add_anything(HfParser *parser, HfDescription *to, HfRange range, double prior);
/* One of them. */
void hf_parser_add_thing(HfParser *parser, HfDescription *to, HfRange range, HfSense sense,
                         double prior);
/* What else is said of a thing: which one, how it is, where. */
void hf_reading_take(HfReading *reading, HfRange range);
/* Which term says what it is; -1: none. */
int hf_range_find_kind(HfRange range);
