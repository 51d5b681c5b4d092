/* SPDX-License-Identifier: Apache-2.0 */
/* What a person calls a thing, held against what its program calls it. Programs write "_Save",
 * "Save…", "保存(S)" or "Name:" where people say Save, 保存 and Name. */
#pragma once

#include <glib.h>

/* How well a text fits what was asked for; higher is better. */
typedef enum HfFit {
    HF_FIT_NONE,
    HF_FIT_FUZZY,    /* a misspelling or so; never good enough to act on */
    HF_FIT_CONTAINS, /* somewhere within */
    HF_FIT_WORD,     /* within, as whole words */
    HF_FIT_PREFIX,   /* at the beginning, as whole words */
    HF_FIT_NORMAL,   /* the same but for case, width, mnemonics, ellipsis and colon */
    HF_FIT_SAME,
    HF_FIT_COUNT,
} HfFit;

/* In words, for the reasons of a candidate: "equals", "begins with", ... */
const char *hf_fit_words(HfFit fit);

/* A form in which labels that people call alike are equal. Any bytes are taken; what is not valid
 * UTF-8 is replaced. */
char *hf_label_normal(const char *text);
/* `normal` is that of `wanted`, so that it is made once for many texts. Never FUZZY. */
HfFit hf_label_fit(const char *text, const char *wanted, const char *normal);
/* How alike two normal forms are, from 0 to 1; 0 for long ones. */
double hf_label_likeness(const char *normal, const char *other);
