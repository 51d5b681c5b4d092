/* SPDX-License-Identifier: Apache-2.0 */
/* What a browser sends down its pipe, cut anywhere, and what a caller says of an element. A page
 * has no hand on the framing, but a browser that a page has taken over does. */
#include <string.h>

#include "hand/browser/cdp/cdp.h"
#include "hand/browser/network/page-policy.h"
#include "hand/browser/page/page-query.h"
#include "shared/base/json.h"

#define MOST 512

int LLVMFuzzerTestOneInput(const guint8 *data, size_t size);

static void take(const char *message, gsize length, gpointer count)
{
    g_assert(length <= MOST && !memchr(message, 0, length));
    *(gsize *)count += length;
    g_autoptr(json_t) json = json_loadb(message, length, 0, NULL);
}

/* Whole or byte by byte, the same messages come out. */
static void split(const char *bytes, gsize size)
{
    g_autoptr(HfCdpSplitter) whole = hf_cdp_splitter_new(MOST), slow = hf_cdp_splitter_new(MOST);
    gsize of_whole = 0, of_slow = 0;
    gboolean fine = hf_cdp_splitter_feed(whole, bytes, size, take, &of_whole), slowly = TRUE;
    for (gsize i = 0; i < size; i++)
        slowly = hf_cdp_splitter_feed(slow, bytes + i, 1, take, &of_slow);
    g_assert(fine == slowly && of_whole == of_slow);
}

int LLVMFuzzerTestOneInput(const guint8 *data, size_t size)
{
    g_autofree char *text = size > 0 ? g_strndup((const char *)data, size) : g_strdup("");
    g_autoptr(json_t) query = hf_page_query_parse(text, NULL);
    g_autoptr(HfPagePolicy) policy = hf_page_policy_new(NULL);
    hf_page_policy_check_address(policy, text, NULL);
    hf_page_policy_check_page(policy, text, NULL);
    split((const char *)data, size);
    return 0;
}
