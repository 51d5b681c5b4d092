/* SPDX-License-Identifier: Apache-2.0 */
/* The text of one element: what a field or a document holds, or what can be read in a part of a
 * window. Never that of a secure field. */
#pragma once

#include "hand/atspi/read/tree-snapshot.h"

typedef struct HfElementText {
    char *text;       /* valid UTF-8 */
    const char *from; /* "text": what it holds, "value", "name", or "content": what is in it */
    gboolean truncated;
} HfElementText;
void hf_element_text_clear(HfElementText *text);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(HfElementText, hf_element_text_clear)

/* FORBIDDEN for a secure field. */
gboolean hf_element_text_read(HfDesktop *desktop, const HfTree *tree, int index, gsize limit,
                              const HfDeadline *deadline, HfElementText *ret_text, GError **error);
