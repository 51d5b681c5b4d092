/* SPDX-License-Identifier: Apache-2.0 */
/* Messages of a browser's debugging pipe: texts that each end with a NUL byte. */
#pragma once

#include <glib.h>

typedef struct HfCdpSplitter HfCdpSplitter;
/* One whole message, NUL-ended. */
typedef void (*HfCdpSplitterFunc)(const char *message, gsize length, gpointer data);

HfCdpSplitter *hf_cdp_splitter_new(gsize most_bytes);
void hf_cdp_splitter_free(HfCdpSplitter *splitter);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfCdpSplitter, hf_cdp_splitter_free)

/* Takes bytes as they come and gives each message that is complete. FALSE once one was longer than
 * it may be: then nothing that follows can be trusted either. */
gboolean hf_cdp_splitter_feed(HfCdpSplitter *splitter, const char *bytes, gsize count,
                              HfCdpSplitterFunc each, gpointer data);
