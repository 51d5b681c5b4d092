/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of text without the boxes and circles that stand in them: "☐ Remember me" is read as what it
 * says. */
#pragma once

#include "hand/pixels/shapes/shapes.h"

/* Rows (HfRect) are cut where shapes (HfShape) to tick or choose are, and closed around the ink
 * that is left. */
void hf_text_rows_cut_shapes(GArray *rows, const GArray *shapes, const HfImage *image);
