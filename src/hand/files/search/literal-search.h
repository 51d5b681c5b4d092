/* SPDX-License-Identifier: Apache-2.0 */
/* Texts that are looked for as they are, quickly; and which text every match of an expression must
 * have in it. */
#pragma once

#include <glib.h>

typedef struct HfLiteral HfLiteral;

HfLiteral *hf_literal_new(const char *text, gsize length);
/* The longest text that each match of the expression must contain; NULL when none is certain. Never
 * wrong, but does not find everything. */
HfLiteral *hf_literal_of_expression(const char *expression);
void hf_literal_free(HfLiteral *literal);
const char *hf_literal_text(const HfLiteral *literal);

/* Where it is in the data; -1: nowhere. */
gssize hf_literal_search(const HfLiteral *literal, const char *data, gsize length);
