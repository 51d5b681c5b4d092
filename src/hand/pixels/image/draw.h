/* SPDX-License-Identifier: Apache-2.0 */
/* Draws rectangles on a picture. Parts outside are dropped. */
#pragma once

#include "shared/image/image.h"

void hf_image_fill(HfImage *image, HfRect rect, guint32 colour);
/* Along the inner edge of the rectangle. */
void hf_image_frame(HfImage *image, HfRect rect, int thick, guint32 colour);
