/* SPDX-License-Identifier: Apache-2.0 */
/* The text of one element: the content of a field or document, or the visible text in a part of a
 * window. Never that of a password field. */
#pragma once

#include "hand/atspi/read/tree-snapshot.h"

typedef struct HfElementText {
    char *text;       /* valid UTF-8 */
    const char *from; /* "text": its own text, "value", "name", or "content": texts inside it */
    gboolean truncated;
} HfElementText;
void hf_element_text_clear(HfElementText *text);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(HfElementText, hf_element_text_clear)

/* FORBIDDEN for a password field. */
gboolean hf_element_text_read(HfDesktop *desktop, const HfTree *tree, int index, gsize limit,
                              const HfDeadline *deadline, HfElementText *ret_text, GError **error);
