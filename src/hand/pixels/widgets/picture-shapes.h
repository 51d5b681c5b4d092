/* SPDX-License-Identifier: Apache-2.0 */
/* What a picture shows before its text is read: rows of text, and shapes that may be widgets.
 * Recent pictures are cached, so that one that has not changed costs next to nothing. */
#pragma once

#include "shared/image/image.h"

typedef struct HfPictureShapes {
    gatomicrefcount references;
    HfSize size;
    guint64 hash;
    GArray *rows;   /* of HfRect, in pixels of the picture; see hand/pixels/text/text-rows.h */
    gboolean cut;   /* there are more */
    GArray *shapes; /* of HfShape, in the same pixels */
} HfPictureShapes;

/* Cuts rows (HfRect) where shapes (HfShape) stand in them, and closes them around the ink that is
 * left: "☐ Remember me" is read without its box. */
void hf_text_rows_cut_shapes(GArray *rows, const GArray *shapes, const HfImage *image);

/* Shared, never changed. */
HfPictureShapes *hf_picture_shapes_new(const HfImage *image);
void hf_picture_shapes_unref(HfPictureShapes *shapes);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfPictureShapes, hf_picture_shapes_unref)
/* For tests. */
void hf_picture_shapes_clear_cache(void);
