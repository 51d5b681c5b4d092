/* SPDX-License-Identifier: Apache-2.0 */
/* Lines that belong together: a paragraph, a list, a column of a table. */
#pragma once

#include "hand/pixels/ocr/ocr-page.h"

typedef struct HfTextBlock {
    HfRect box;
    GArray *lines; /* of const HfOcrPageLine *, from top to bottom */
} HfTextBlock;

/* The blocks (HfTextBlock) of a page, in the order in which they are read. Lines without text are
 * left out. */
GArray *hf_text_blocks_new(const HfOcrPage *page);

/* Whether the line is one of text: read, and not just an icon that looked like a letter. */
gboolean hf_ocr_page_line_is_text(const HfOcrPageLine *line);
