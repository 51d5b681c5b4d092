/* SPDX-License-Identifier: Apache-2.0 */
/* Text as other programs put it on the clipboard: any bytes under any type become valid UTF-8. */
#include <glib.h>
#include <stdint.h>

#include "hand/x11/core/property-text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const types[] = {
        "COMPOUND_TEXT",          "UTF8_STRING", "STRING", "TEXT", "text/plain;charset=utf-16",
        "text/plain;charset=\"\""};
    if (size == 0)
        return 0;
    for (guint i = 0; i < G_N_ELEMENTS(types); i++) {
        g_autofree char *text = hf_x11_text_decode_type(types[i], (const char *)data, size);
        g_assert_true(g_utf8_validate(text, -1, NULL));
    }
    return 0;
}
