/* SPDX-License-Identifier: Apache-2.0 */
/* Text of windows in any encoding: whatever the bytes, what comes out is valid UTF-8 without
 * control characters, and not much longer. */
#include <stdint.h>
#include <string.h>

#include "hand/x11/core/property-text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1)
        return 0;
    HfX11Encoding encoding = (HfX11Encoding)(data[0] % 3);
    g_autofree char *bytes =
        g_malloc(MAX(size - 1, 1)); /* no more, so that a step beyond is noticed */
    memcpy(bytes, data + 1, size - 1);
    g_autofree char *line = hf_x11_text_decode_line(encoding, bytes, size - 1, data[0] & 0x80);
    g_assert_true(g_utf8_validate(line, -1, NULL));
    g_assert_cmpuint(strlen(line), <=, 6 * size);
    for (const char *at = line; *at; at = g_utf8_next_char(at))
        g_assert_false(g_unichar_iscntrl(g_utf8_get_char(at)));
    return 0;
}
