/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of a picture as a JPEG of their own. */
#pragma once

#include <glib.h>

#include "hand/pixels/image/scale.h"

/* Colours have half the resolution, so blocks are this high; a stripe within a picture has to be
 * made of whole ones. */
#define HF_JPEG_BLOCK      16
#define HF_JPEG_GREY_BLOCK 8

typedef struct HfJpegRows {
    HfScaler *scaler; /* gives the rows; of this thread alone */
    int width;        /* of the rows that it gives */
    int first, count; /* which of them */
    int quality;
    gboolean grey;
    int restart_interval; /* 0, or in blocks: only written down, for who joins stripes */
} HfJpegRows;

GBytes *hf_jpeg_rows_encode(const HfJpegRows *rows, GError **error);
