/* SPDX-License-Identifier: Apache-2.0 */
/* PNG, for when every pixel counts. Encoding is fast, but the files are not the smallest. */
#pragma once

#include "shared/image/image.h"

/* Scales the picture to `size`. */
GBytes *hf_png_encode(const HfImage *image, HfSize size, GError **error);
/* Without colours: by the brightness of each pixel, like JPEG. */
GBytes *hf_png_encode_grey(const HfImage *image, HfSize size, GError **error);
