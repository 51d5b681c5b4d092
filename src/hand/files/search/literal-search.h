/* SPDX-License-Identifier: Apache-2.0 */
/* Fast search for a literal, and the literal that every match of an expression contains. */
#pragma once

#include <glib.h>

typedef struct HfLiteral HfLiteral;

HfLiteral *hf_literal_new(const char *text, gsize length);
/* The longest literal that each match of the expression contains; NULL if none is certain.
 * Conservative: it may miss one, but is never wrong. */
HfLiteral *hf_literal_of_expression(const char *expression);
void hf_literal_free(HfLiteral *literal);
const char *hf_literal_text(const HfLiteral *literal);

/* Its position in the data; -1 if it is not there. */
gssize hf_literal_search(const HfLiteral *literal, const char *data, gsize length);
