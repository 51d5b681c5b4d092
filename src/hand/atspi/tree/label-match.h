/* SPDX-License-Identifier: Apache-2.0 */
/* Compares the name that a person uses with the one that a program uses. Programs write "_Save",
 * "Save…", "保存(S)" or "Name:" where people say Save, 保存 and Name. */
#pragma once

#include <glib.h>

/* How well a text matches; higher is better. */
typedef enum HfFit {
    HF_FIT_NONE,
    HF_FIT_FUZZY,    /* similar; never good enough to act on */
    HF_FIT_CONTAINS, /* contains it */
    HF_FIT_WORD,     /* contains it as whole words */
    HF_FIT_PREFIX,   /* begins with it, as whole words */
    HF_FIT_NORMAL,   /* equal except case, width, mnemonics, ellipsis and colon */
    HF_FIT_SAME,
    HF_FIT_COUNT,
} HfFit;

/* For the reasons of a candidate: "equals", "begins with", ... */
const char *hf_fit_words(HfFit fit);

/* A normal form that is equal for labels that people call alike. Invalid UTF-8 is replaced. */
char *hf_label_normal(const char *text);
/* `normal` is the normal form of `wanted`, made once for many texts. Never FUZZY. */
HfFit hf_label_fit(const char *text, const char *wanted, const char *normal);
/* The similarity of two normal forms, from 0 to 1; 0 for long ones. */
double hf_label_likeness(const char *normal, const char *other);
