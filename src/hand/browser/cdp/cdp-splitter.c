/* SPDX-License-Identifier: Apache-2.0 */
/* Looks at each byte once, however messages are cut up. A message in one piece is not copied. */
#include "hand/browser/cdp/cdp-splitter.h"

#include <string.h>

/* The buffer shrinks to this after a large message: pictures are rare. */
#define KEPT_BYTES ((gsize)1024 * 1024)

struct HfCdpSplitter {
    GString *begun; /* a message whose end has not arrived */
    gsize most;
    gboolean broken;
};

HfCdpSplitter *hf_cdp_splitter_new(gsize most_bytes)
{
    HfCdpSplitter *splitter = g_new0(HfCdpSplitter, 1);
    splitter->begun = g_string_new(NULL);
    splitter->most = most_bytes;
    return splitter;
}

void hf_cdp_splitter_free(HfCdpSplitter *splitter)
{
    if (!splitter)
        return;
    g_string_free(splitter->begun, TRUE);
    g_free(splitter);
}

static void emit_begun_message(HfCdpSplitter *splitter, HfCdpSplitterFunc each, gpointer data)
{
    each(splitter->begun->str, splitter->begun->len, data);
    if (splitter->begun->allocated_len > KEPT_BYTES) {
        g_string_free(splitter->begun, TRUE);
        splitter->begun = g_string_new(NULL);
    }
    g_string_truncate(splitter->begun, 0);
}

gboolean hf_cdp_splitter_feed(HfCdpSplitter *splitter, const char *bytes, gsize count,
                              HfCdpSplitterFunc each, gpointer data)
{
    while (count > 0 && !splitter->broken) {
        const char *end = memchr(bytes, 0, count);
        gsize length = end ? (gsize)(end - bytes) : count;
        if (splitter->begun->len + length > splitter->most) {
            splitter->broken = TRUE;
            break;
        }
        if (end && splitter->begun->len == 0) {
            each(bytes, length, data);
        } else {
            g_string_append_len(splitter->begun, bytes, (gssize)length);
            if (end)
                emit_begun_message(splitter, each, data);
        }
        gsize used = end ? length + 1 : length;
        bytes += used;
        count -= used;
    }
    return !splitter->broken;
}
