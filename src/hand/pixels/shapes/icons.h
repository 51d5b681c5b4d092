/* SPDX-License-Identifier: Apache-2.0 */
/* Icons: what is drawn on even ground without a frame, and is no larger than an icon. */
#pragma once

#include "hand/pixels/shapes/shapes.h"

/* Adds those (HfShape) that are not in or on the shapes that are there. */
void hf_icons_add(const HfImage *image, GArray *shapes);
