/* SPDX-License-Identifier: Apache-2.0 */
/* One reader process, as the hand that started it sees it. */
#pragma once

#include "hand/pixels/text/text-line.h"
#include "shared/base/deadline.h"

typedef struct HfOcrReaderProcess HfOcrReaderProcess;

HfOcrReaderProcess *hf_ocr_reader_process_start(GError **error);
/* Ends it at once, whatever it is doing. */
void hf_ocr_reader_process_end(HfOcrReaderProcess *reader);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfOcrReaderProcess, hf_ocr_reader_process_end)

/* The words (HfOcrEngineWord) of a line. DESKTOP_UNAVAILABLE: the reader is of no use any more. */
GArray *hf_ocr_reader_process_ask(HfOcrReaderProcess *reader, const HfTextLine *line,
                                  const char *language, const HfDeadline *deadline, GError **error);
/* Whether it has ended by itself, for instance since it had nothing to do. */
gboolean hf_ocr_reader_process_is_gone(const HfOcrReaderProcess *reader);
