/* SPDX-License-Identifier: Apache-2.0 */
/* Switches and sliders: drawings whose knob says how they are set. */
#pragma once

#include "hand/pixels/shapes/shapes.h"

/* Adds those (HfShape) that the pieces of ink (HfTextPiece) belong to, and takes away what was
 * found of their parts. */
void hf_switch_slider_add(const HfImage *image, const GArray *pieces, GArray *shapes);
