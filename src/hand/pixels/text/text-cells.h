/* SPDX-License-Identifier: Apache-2.0 */
/* Cells of a terminal that have a ground of their own (shortcut keys, the cursor) and lie below
 * each other are one piece, two rows high: their edges go on from one to the next. Here they become
 * one piece for each row. Pure. */
#pragma once

#include "hand/pixels/text/text-pieces.h"
#include "shared/image/image.h"

/* Takes apart what are several (HfTextPiece), and cuts off what is no cell. */
void hf_text_cells_split(GArray *pieces, const HfImage *image);
