/* SPDX-License-Identifier: Apache-2.0 */
/* Recognises small controls by how they are drawn: check boxes, radio buttons, switches, sliders.
 */
#pragma once

#include "hand/pixels/shapes/shapes.h"

/* The kind of a small drawing with this box and background: BOX, CIRCLE or ICON. `ret_marked`:
 * something is drawn inside a box or circle. */
HfShapeKind hf_checkbox_radio_classify(const HfImage *image, HfRect box, guint32 ground,
                                       gboolean *ret_marked);
/* Adds the switches and sliders (HfShape) among pieces of ink (HfTextPiece), and removes shapes
 * that are parts of them. */
void hf_switch_slider_add(const HfImage *image, const GArray *pieces, GArray *shapes);
