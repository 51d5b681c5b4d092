/* SPDX-License-Identifier: Apache-2.0 */
/* PNG for when every pixel counts: quickly made, not as small as it could be. */
#pragma once

#include "shared/image/image.h"

/* The picture at another size (or its own). */
GBytes *hf_png_encode(const HfImage *image, HfSize size, GError **error);
/* Without colours: by the brightness of each pixel, as JPEG takes it. */
GBytes *hf_png_encode_grey(const HfImage *image, HfSize size, GError **error);
