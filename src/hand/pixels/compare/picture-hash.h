/* SPDX-License-Identifier: Apache-2.0 */
/* Hashes of a picture, instead of the picture: enough to tell later where it differs. They are
 * plain bytes, so that their keepers need not know the format, and take about an eighth of a byte
 * for each pixel. */
#pragma once

#include "shared/image/image.h"

/* How a picture differs from the one before, in its pixels. */
typedef struct HfPictureHashChange {
    GArray *rects;    /* of HfRect: changes, neighbours in one, at most HF_PICTURE_HASH_RECTS */
    double share;     /* of the picture, 0 to 1 */
    gboolean ignored; /* something has changed in an ignored place */
} HfPictureHashChange;

#define HF_PICTURE_HASH_RECTS 32

void hf_picture_hash_change_clear(HfPictureHashChange *change);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(HfPictureHashChange, hf_picture_hash_change_clear)

GBytes *hf_picture_hash_new(const HfImage *image);
/* Differences within `ignore` (HfRect, may be NULL) do not count. Every other pixel that differs is
 * in one of the rectangles. FALSE: the pictures have different sizes. */
gboolean hf_picture_hash_compare(GBytes *before, GBytes *now, const GArray *ignore,
                                 HfPictureHashChange *ret_change);
/* A hash of the tiles that the area touches. */
guint64 hf_picture_hash_of_area(GBytes *hash, HfRect area);

/* ---- for tests ---- */

#define HF_PICTURE_HASH_TILE 32

/* A hash for each row and each column of a tile. The upper halves are the better ones. */
typedef struct HfTileHash {
    guint32 rows[HF_PICTURE_HASH_TILE], columns[HF_PICTURE_HASH_TILE];
} HfTileHash;

/* Hashes `width` x `height` pixels of 4 bytes without the fourth byte. The rest of `ret_hash` is 0.
 */
void hf_tile_hash_portable(const guint8 *pixels, gsize stride, int width, int height,
                           HfTileHash *ret_hash);
/* The same, in the fastest way of this processor. */
void hf_tile_hash(const guint8 *pixels, gsize stride, int width, int height, HfTileHash *ret_hash);
