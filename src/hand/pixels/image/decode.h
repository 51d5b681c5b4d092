/* SPDX-License-Identifier: Apache-2.0 */
/* Decodes a picture from a caller, PNG or JPEG. Its bytes are not trusted. */
#pragma once

#include "shared/image/image.h"

/* Transparent parts become white. INVALID_PARAMS: it is neither format, broken or incomplete.
 * LIMIT_EXCEEDED, before any memory is allocated: it has more than HF_LIMIT_IMAGE_PIXELS, or an
 * edge beyond HF_LIMIT_SCREEN_EDGE. */
HfImage *hf_image_decode(const guint8 *bytes, gsize size, GError **error);
/* The same with alpha in the fourth byte of each pixel, for a template whose transparent parts do
 * not count. */
HfImage *hf_image_decode_alpha(const guint8 *bytes, gsize size, GError **error);
