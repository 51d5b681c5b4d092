/* SPDX-License-Identifier: Apache-2.0 */
/* One row of text as an engine and a cache want it: black on white, whatever its colours were. */
#pragma once

#include "shared/image/image.h"

typedef struct HfTextLine {
    int width, height;
    guint8 *grey; /* 0 is ink, 255 is ground; `width` bytes a row */
} HfTextLine;

typedef struct HfTextHash {
    guint64 parts[2];
} HfTextHash;

/* The ink within the box, which is cut to the image; NULL when nothing is left of it. */
HfTextLine *hf_text_line_new(const HfImage *image, HfRect box);
void hf_text_line_free(HfTextLine *line);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfTextLine, hf_text_line_free)

/* The same for the same text in the same print, wherever it stands. */
HfTextHash hf_text_line_hash(const HfTextLine *line);

/* Another one: `scale` times as large, smoothly, with a border of ground around it. */
HfTextLine *hf_text_line_scale(const HfTextLine *line, double scale, int border);
/* Columns from `first` to before `end`. */
HfTextLine *hf_text_line_cut(const HfTextLine *line, int first, int end);
/* The box of the ink within these columns; FALSE when there is none. */
gboolean hf_text_line_find_ink(const HfTextLine *line, int first, int end, HfRect *ret_box);
