/* SPDX-License-Identifier: Apache-2.0 */
/* The inner loop of picture-hash.c, once in plain C and once for AVX2. Both compute the same
 * numbers. */
#pragma once

#include <glib.h>

/* The edge of a tile of a sheet. */
#define HF_PICTURE_HASH_TILE 32

/* A number for each row and each column of a tile, whose upper halves are the better ones. */
typedef struct HfTileHash {
    guint32 rows[HF_PICTURE_HASH_TILE], columns[HF_PICTURE_HASH_TILE];
} HfTileHash;

/* Of `width` x `height` pixels of 4 bytes, the fourth of which means nothing. What lies beyond is 0
 * in `ret_hash`. */
void hf_tile_hash_portable(const guint8 *pixels, gsize stride, int width, int height,
                           HfTileHash *ret_hash);
/* The same in the quickest way of this processor. */
void hf_tile_hash(const guint8 *pixels, gsize stride, int width, int height, HfTileHash *ret_hash);
