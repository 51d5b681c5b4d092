/* SPDX-License-Identifier: Apache-2.0 */
/* A picture that a caller gives: PNG or JPEG, whole or broken. Whatever it is, it becomes a picture
 * of a size that is allowed, or an error with a code that callers know; and rows of text are found
 * in it without harm. The first byte says whether the rest is base64. */
#include <stdint.h>

#include "hand/pixels/image/decode.h"
#include "hand/pixels/pixels-limits.h"
#include "hand/pixels/text/text-line.h"
#include "hand/pixels/text/text-rows.h"
#include "shared/base/base64.h"
#include "shared/base/error.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_rows(const HfImage *image)
{
    g_auto(HfTextRows) rows = {0};
    hf_text_rows_find(&rows, image);
    for (guint i = 0; i < MIN(rows.boxes->len, 20); i++) {
        HfRect box = g_array_index(rows.boxes, HfRect, i);
        g_assert_true(box.x >= 0 && box.y >= 0 && box.x + box.width <= image->width &&
                      box.y + box.height <= image->height);
        g_autoptr(HfTextLine) line = hf_text_line_new(image, box);
        g_assert_nonnull(line);
    }
}

static void try_picture(const guint8 *bytes, gsize size)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(HfImage) image = hf_image_decode(bytes, size, &error);
    g_assert_true((image != NULL) == (error == NULL));
    if (!image) {
        HfErrorCode code = hf_error_code(error);
        g_assert_true(code == HF_ERROR_INVALID_PARAMS || code == HF_ERROR_LIMIT_EXCEEDED);
        return;
    }
    g_assert_true(image->width >= 1 && image->height >= 1);
    g_assert_true((gint64)image->width * image->height <= HF_LIMIT_IMAGE_PIXELS);
    if (image->width * image->height <= 256 * 256)
        check_rows(image);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1)
        return 0;
    if (data[0] != 'b') {
        try_picture(data + 1, size - 1);
        return 0;
    }
    g_autofree char *text = g_strndup((const char *)data + 1, size - 1);
    g_autoptr(GBytes) bytes = hf_base64_decode(text);
    if (bytes)
        try_picture(g_bytes_get_data(bytes, NULL), g_bytes_get_size(bytes));
    return 0;
}
