/* Cells of a terminal that have a ground of their own (shortcut keys, the cursor) and lie below
 * each other are one piece, two rows high: their edges go on from one to the next. Here they become
 * one piece for each row. Pure. */
#pragma once

#include "base/image.h"
#include "vision/text-pieces.h"

/* Takes apart what are several (HfTextPiece), and cuts off what is no cell. */
void hf_text_cells_part(GArray *pieces, const HfImage *image);
