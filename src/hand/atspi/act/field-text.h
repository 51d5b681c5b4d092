/* SPDX-License-Identifier: Apache-2.0 */
/* Sets the text of fields over the accessibility bus: all of it, or at the caret. Always reads
 * back: a field may cut, change or drop the text. Never touches a password field. */
#pragma once

#include "hand/atspi/act/element.h"

/* Whether it claims to take text by accessibility calls; read back to be sure. */
gboolean hf_field_text_is_settable(const HfElement *element);
gboolean hf_field_text_replace(const HfElement *element, const char *text, GError **error);

typedef struct HfFieldInsertion {
    gboolean done;  /* FALSE: nothing changed, so another way may be tried */
    gboolean exact; /* it was read back at the caret */
} HfFieldInsertion;

/* Replaces the selection, or inserts at the caret, and moves the caret behind it: like typing. */
gboolean hf_field_text_insert(HfElement *element, const char *text, HfFieldInsertion *ret_inserted,
                              GError **error);

/* The focused element; NULL without an error when it is unknown, or a password field. */
HfElement *hf_field_text_find_focused(const HfCallContext *context, const HfDeadline *deadline,
                                      GError **error);
/* It takes one line at a time: a form field, or a spreadsheet cell. */
gboolean hf_field_text_is_one_line(const HfElement *element);
