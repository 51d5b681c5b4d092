/* Messages of a browser's debugging pipe: texts that each end with a NUL byte. */
#pragma once

#include <glib.h>

typedef struct HfSplitter HfSplitter;
/* One whole message, NUL-ended. */
typedef void (*HfSplitterFunc)(const char *message, gsize length, gpointer data);

HfSplitter *hf_splitter_new(gsize most_bytes);
void hf_splitter_free(HfSplitter *splitter);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfSplitter, hf_splitter_free)

/* Takes bytes as they come and gives each message that is complete. FALSE once one was longer than
 * it may be: then nothing that follows can be trusted either. */
gboolean hf_splitter_feed(HfSplitter *splitter, const char *bytes, gsize count, HfSplitterFunc each,
                          gpointer data);
