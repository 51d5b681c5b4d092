/* SPDX-License-Identifier: Apache-2.0 */
/* Text of fields by the accessibility bus: whole, or put in where the caret is. Read back each
 * time: a field may cut, change or drop what it is given. Never touches a secure field. */
#pragma once

#include "hand/atspi/act/element.h"

/* Whether text can be put into it by orders; which it then has to be seen to take. */
gboolean hf_field_text_is_settable(const HfElement *element);
gboolean hf_field_text_replace(const HfElement *element, const char *text, GError **error);

typedef struct HfFieldInsertion {
    gboolean done;  /* FALSE: nothing has changed, another way may be tried */
    gboolean exact; /* it was read back where the caret was */
} HfFieldInsertion;

/* In place of the selection, at the caret, which is after it then: as if it were typed. */
gboolean hf_field_text_insert(HfElement *element, const char *text, HfFieldInsertion *ret_inserted,
                              GError **error);

/* What has the keyboard, if that is known; NULL without an error when it is not, or is secure. */
HfElement *hf_field_text_find_focused(const HfCallContext *context, const HfDeadline *deadline,
                                      GError **error);
/* It is known to take a line at a time: one of a form, or the cells of a sheet. */
gboolean hf_field_text_is_one_line(const HfElement *element);
