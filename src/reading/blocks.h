/* Lines that belong together: a paragraph, a list, a column of a table. */
#pragma once

#include "reading/page.h"

typedef struct HfBlock {
    HfRect box;
    GArray *lines; /* of const HfPageLine *, from top to bottom */
} HfBlock;

/* The blocks (HfBlock) of a page, in the order in which they are read. Lines without text are left
 * out. */
GArray *hf_blocks_new(const HfPage *page);

/* Whether the line is one of text: read, and not just an icon that looked like a letter. */
gboolean hf_page_line_is_text(const HfPageLine *line);
