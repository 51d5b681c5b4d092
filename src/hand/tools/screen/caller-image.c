/* SPDX-License-Identifier: Apache-2.0 */
/* Decodes a picture parameter: base64 text, or a data URL with it. */
#include "hand/tools/screen/caller-image.h"

#include <string.h>

#include "hand/pixels/image/decode.h"
#include "shared/base/base64.h"
#include "shared/base/error.h"
#include "shared/base/json.h"

GBytes *hf_call_decode_base64(const HfCall *call, const char *name, GError **error)
{
    static const char *const prefixes[] = {"data:image/png;base64,", "data:image/jpeg;base64,"};
    const char *text = hf_call_string(call, name);
    for (gsize i = 0; i < G_N_ELEMENTS(prefixes); i++)
        if (g_str_has_prefix(text, prefixes[i]))
            text += strlen(prefixes[i]);
    GBytes *bytes = hf_base64_decode(text);
    if (!bytes || g_bytes_get_size(bytes) == 0) {
        g_clear_pointer(&bytes, g_bytes_unref);
        hf_fail(error, HF_ERROR_INVALID_PARAMS, "%s: is not base64", name);
        hf_error_take_details(error, json_pack("{s:s, s:s}", "path", name, "expected",
                                               "a PNG or JPEG picture as base64"));
    }
    return bytes;
}

HfImage *hf_call_decode_image(const HfCall *call, const char *name, GError **error)
{
    g_autoptr(GBytes) bytes = hf_call_decode_base64(call, name, error);
    if (!bytes)
        return NULL;
    gsize size;
    const guint8 *data = g_bytes_get_data(bytes, &size);
    return hf_image_decode(data, size, error);
}
