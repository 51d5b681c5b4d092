/* One reader process, as the hand that started it sees it. */
#pragma once

#include "base/deadline.h"
#include "vision/text-line.h"

typedef struct HfReaderProcess HfReaderProcess;

HfReaderProcess *hf_reader_process_start(GError **error);
/* Ends it at once, whatever it is doing. */
void hf_reader_process_end(HfReaderProcess *reader);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfReaderProcess, hf_reader_process_end)

/* The words (HfEngineWord) of a line. DESKTOP_UNAVAILABLE: the reader is of no use any more. */
GArray *hf_reader_process_ask(HfReaderProcess *reader, const HfTextLine *line, const char *language,
                              const HfDeadline *deadline, GError **error);
/* Whether it has ended by itself, for instance since it had nothing to do. */
gboolean hf_reader_process_is_gone(const HfReaderProcess *reader);
