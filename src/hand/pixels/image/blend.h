/* SPDX-License-Identifier: Apache-2.0 */
/* Blends one picture onto another. */
#pragma once

#include "shared/image/image.h"

/* Blends `overlay` (premultiplied A R G B) onto `image`, with its top left corner at `at`. Parts
 * outside are dropped. */
void hf_image_blend(HfImage *image, const HfImage *overlay, HfPoint at);
