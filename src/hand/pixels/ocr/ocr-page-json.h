/* SPDX-License-Identifier: Apache-2.0 */
/* The text of a page as the result of a tool. */
#pragma once

#include "hand/pixels/ocr/ocr-page.h"
#include "shared/base/json.h"

typedef enum HfOcrPageDetail {
    HF_OCR_PAGE_BLOCKS,
    HF_OCR_PAGE_LINES,
    HF_OCR_PAGE_WORDS,
} HfOcrPageDetail;

/* {"text", "blocks", "lines_read", "lines_by_shape", "lines_cached", "lines_unread", "truncated",
 * "truncated_by"?, "unchanged"}; the picture's top left corner is at `origin`. */
json_t *hf_ocr_page_to_json(const HfOcrPage *page, HfPoint origin, HfOcrPageDetail detail);
