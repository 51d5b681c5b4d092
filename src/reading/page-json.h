/* A page as a result. */
#pragma once

#include "base/json.h"
#include "reading/page.h"

typedef enum HfPageDetail {
    HF_PAGE_BLOCKS,
    HF_PAGE_LINES,
    HF_PAGE_WORDS,
} HfPageDetail;

/* {"text", "blocks", "lines_read", "lines_by_shape", "lines_cached", "lines_unread", "truncated",
 * "truncated_by"?, "unchanged"}; the picture's top left corner is at `origin`. */
json_t *hf_page_to_json(const HfPage *page, HfPoint origin, HfPageDetail detail);
