/* SPDX-License-Identifier: Apache-2.0 */
/* What comes over a connection, before the HTTP library reads it: in one piece and in pieces it
 * must mean the same. */
#include <stdint.h>

#include "desk/doors/http/server/http-framing.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    g_autoptr(HfHttpFraming) whole = hf_http_framing_new();
    g_autoptr(HfHttpFraming) pieces = hf_http_framing_new();
    gsize passed = hf_http_framing_take(whole, (const char *)data, size), done = 0;
    while (done < size && hf_http_framing_take(pieces, (const char *)data + done, 1) == 1)
        done++;
    g_assert_cmpuint(done, ==, passed);
    g_assert_true((hf_http_framing_get_refusal(whole) == NULL) == (passed == size));
    return 0;
}
