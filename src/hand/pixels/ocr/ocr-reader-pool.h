/* SPDX-License-Identifier: Apache-2.0 */
/* The readers of this hand: as many processes as lines are read at the same time. They are started
 * when the first line is to be read and end by themselves when there is nothing to do. */
#pragma once

#include "hand/pixels/text/text-line.h"
#include "shared/base/deadline.h"

/* Reads a line that has the engine's size: a list of HfOcrEngineWord. Any thread. A line that makes
 * a reader fail or takes too long costs that reader and gives DESKTOP_UNAVAILABLE; UNSUPPORTED
 * means that no line can be read. */
GArray *hf_ocr_reader_pool_ask(const HfTextLine *line, const char *language,
                               const HfDeadline *deadline, GError **error);
/* How many lines can be read at the same time. */
int hf_ocr_reader_pool_count(void);
/* Ends all that are not reading. */
void hf_ocr_reader_pool_stop(void);
