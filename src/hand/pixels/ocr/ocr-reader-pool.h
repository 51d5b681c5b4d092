/* SPDX-License-Identifier: Apache-2.0 */
/* The reader processes of this hand, one for each line that is read at the same time. They start
 * with the first line and end by themselves when they are idle. */
#pragma once

#include "hand/pixels/text/text-line.h"
#include "shared/base/deadline.h"

/* Reads a line that has the engine's size: a list of HfLineWord. Any thread. A line that makes
 * a reader fail or takes too long costs that reader and gives DESKTOP_UNAVAILABLE. UNSUPPORTED: no
 * line can be read. */
GArray *hf_ocr_reader_pool_read(const HfTextLine *line, const char *language,
                                const HfDeadline *deadline, GError **error);
/* The number of lines that can be read at the same time. */
int hf_ocr_reader_pool_count(void);
/* Ends all idle readers. */
void hf_ocr_reader_pool_stop(void);
