/* SPDX-License-Identifier: Apache-2.0 */
/* Markup and lists of files as other programs put them on the clipboard: any bytes become valid
 * UTF-8. */
#include <stdint.h>

#include "hand/tools/system/clipboard-content.h"
#include "shared/base/json.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *bytes = data ? data : (const uint8_t *)"";
    g_autofree char *html = hf_content_read_html(bytes, size);
    g_assert_true(g_utf8_validate(html, -1, NULL));
    g_autoptr(json_t) files = hf_content_read_files(bytes, size);
    size_t index;
    json_t *file;
    json_array_foreach (files, index, file)
        g_assert_true(json_is_string(file) && json_string_length(file) > 0);
    return 0;
}
