/* SPDX-License-Identifier: Apache-2.0 */
/* A picture that a caller gives: PNG or JPEG, as foreign as bytes can be. */
#pragma once

#include "shared/image/image.h"

/* INVALID_PARAMS when it is neither, broken or cut off; LIMIT_EXCEEDED when it would become larger
 * than HF_LIMIT_IMAGE_PIXELS or has an edge beyond HF_LIMIT_SCREEN_EDGE, before any memory is
 * taken for it. What is transparent in it stands on white. */
HfImage *hf_image_decode(const guint8 *bytes, gsize size, GError **error);

/* The same, with its alpha in the fourth byte of each pixel: for a picture that is looked for, of
 * which only what is not transparent counts. */
HfImage *hf_image_decode_alpha(const guint8 *bytes, gsize size, GError **error);

/* Its two halves. */
HfImage *hf_png_decode(const guint8 *bytes, gsize size, gboolean keep_alpha, GError **error);
HfImage *hf_jpeg_decode(const guint8 *bytes, gsize size, GError **error);

/* For both: whether a picture of that size may be decoded. */
gboolean hf_image_check_size(gint64 width, gint64 height, GError **error);
