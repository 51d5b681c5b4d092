/* SPDX-License-Identifier: Apache-2.0 */
/* Boxes to tick and circles to choose, told from other small drawings. */
#pragma once

#include "hand/pixels/shapes/shapes.h"

/* The kind of a small drawing with this box on this ground: BOX, CIRCLE or ICON. `ret_marked`:
 * something is drawn inside of a box or circle. */
HfShapeKind hf_checkbox_radio_classify(const HfImage *image, HfRect box, guint32 ground,
                                       gboolean *ret_marked);
