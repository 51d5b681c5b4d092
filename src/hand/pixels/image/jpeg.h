/* SPDX-License-Identifier: Apache-2.0 */
/* JPEG with colours at half the resolution (4:2:0), which is good enough for screens. */
#pragma once

#include "shared/image/image.h"

/* Encodes the picture while it is scaled to `size`. `quality` is 0 to 100. The result does not
 * depend on the number of cores. */
GBytes *hf_jpeg_encode(const HfImage *image, HfSize size, int quality, GError **error);
/* Without colours, which makes a smaller file. */
GBytes *hf_jpeg_encode_grey(const HfImage *image, HfSize size, int quality, GError **error);

/* For tests: in stripes of so many rows of blocks, at most what the format allows. */
GBytes *hf_jpeg_encode_stripes(const HfImage *image, HfSize size, int quality, gboolean grey,
                               int block_rows, GError **error);
