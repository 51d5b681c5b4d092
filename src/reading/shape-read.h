/* Words by the looks of their letters, without an engine. */
#pragma once

#include "reading/words.h"

/* A part of a line that is not known well enough. */
typedef struct HfUnknown {
    int left, right; /* columns; the last is just outside */
    guint before;    /* which of the words it stands before */
} HfUnknown;

typedef struct HfShapesRead {
    GArray *words;    /* of HfLineWord, from left to right */
    GArray *unknowns; /* of HfUnknown, from left to right */
    int known_width, width;
} HfShapesRead;

/* `seed` keeps languages apart. */
void hf_shapes_read(HfShapesRead *read, const HfTextLine *line, guint64 seed);
void hf_shapes_read_clear(HfShapesRead *read);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(HfShapesRead, hf_shapes_read_clear)
