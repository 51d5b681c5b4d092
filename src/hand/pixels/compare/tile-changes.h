/* SPDX-License-Identifier: Apache-2.0 */
/* Which parts of a picture differ from the one before. It keeps a hash for each tile, and no
 * picture. */
#pragma once

#include "shared/image/image.h"

/* The edge of a tile: a multiple of a JPEG block. */
#define HF_TILE 64

typedef struct HfTiles HfTiles;

HfTiles *hf_tiles_new(void);
void hf_tiles_free(HfTiles *tiles);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfTiles, hf_tiles_free)

/* The parts (HfRect) that differ from the picture before. The whole picture is one part if there
 * was none before, if its size differs, or if most of it has changed. */
GArray *hf_tiles_compare(HfTiles *tiles, const HfImage *image);
/* The next picture counts as changed as a whole. */
void hf_tiles_forget(HfTiles *tiles);

/* A hash of the whole picture. */
guint64 hf_image_hash(const HfImage *image);
