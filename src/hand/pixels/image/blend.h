/* SPDX-License-Identifier: Apache-2.0 */
/* Drawing one picture onto another. */
#pragma once

#include "shared/image/image.h"

/* Puts `overlay` (A R G B, colours already multiplied by A) onto `image` with its top left corner
 * at `at`, which may be anywhere; what falls outside is left out. */
void hf_image_blend(HfImage *image, const HfImage *overlay, HfPoint at);
