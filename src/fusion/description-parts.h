/* What the parts of understanding a description share. For description*.c alone. */
#pragma once

#include "fusion/description-words.h"

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
/* Of a language without blanks. */
gboolean hf_term_is_wide(const HfTerm *term);
/* Without what says nothing at its ends. */
HfRange hf_range_trim(HfRange range);
/* "in the far top-right corner" becomes one term. */
void hf_terms_join_spots(GArray *terms);
void hf_terms_turn_to_states(GArray *terms);
/* "the second from the bottom" counts from the end. */
void hf_terms_turn_back(GArray *terms);
/* 右边的按钮 without anything before it is a button on the right. */
void hf_terms_turn_to_spots(GArray *terms);

HfDescription *hf_description_new_empty(void);
/* The readings of a thing by itself, without what it is tied to. */
void hf_parser_add_things(HfParser *parser, HfDescription *to, HfRange range, double prior);
/* The same for a word that nobody knows, of what lies somewhere: it may be anything there. */
void hf_parser_add_anything(HfParser *parser, HfDescription *to, HfRange range, double prior);
/* One of them. */
void hf_parser_add_thing(HfParser *parser, HfDescription *to, HfRange range, HfSense sense,
                         double prior);
