/* SPDX-License-Identifier: Apache-2.0 */
/* JPEG with colours at half the resolution (4:2:0), which screens do not suffer from. */
#pragma once

#include "shared/image/image.h"

/* The picture at another size (or its own), encoded while it is scaled. `quality` 0 to 100. The
 * same picture gives the same bytes, however many cores were at it. */
GBytes *hf_jpeg_encode(const HfImage *image, HfSize size, int quality, GError **error);
/* Without colours at all: the file has none, and is smaller. */
GBytes *hf_jpeg_encode_grey(const HfImage *image, HfSize size, int quality, GError **error);

/* For tests: in stripes of so many rows of 16 pixels each, but of no more than the format allows.
 */
GBytes *hf_jpeg_encode_stripes(const HfImage *image, HfSize size, int quality, gboolean grey,
                               int block_rows, GError **error);
