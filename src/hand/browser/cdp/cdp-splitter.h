/* SPDX-License-Identifier: Apache-2.0 */
/* Splits the data of a browser's debugging pipe into messages, which end with a NUL byte. */
#pragma once

#include <glib.h>

typedef struct HfCdpSplitter HfCdpSplitter;
/* Gets one whole message, NUL-terminated. */
typedef void (*HfCdpSplitterFunc)(const char *message, gsize length, gpointer data);

HfCdpSplitter *hf_cdp_splitter_new(gsize most_bytes);
void hf_cdp_splitter_free(HfCdpSplitter *splitter);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfCdpSplitter, hf_cdp_splitter_free)

/* Takes bytes as they come and passes on each complete message. FALSE after a message that was too
 * long: nothing that follows can be trusted. */
gboolean hf_cdp_splitter_feed(HfCdpSplitter *splitter, const char *bytes, gsize count,
                              HfCdpSplitterFunc each, gpointer data);
