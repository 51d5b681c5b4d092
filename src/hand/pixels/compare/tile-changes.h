/* SPDX-License-Identifier: Apache-2.0 */
/* Which parts of a picture differ from the one before. It is kept what a picture looked like, not
 * the picture: a hash for each tile. */
#pragma once

#include "shared/image/image.h"

/* The edge of a tile: a multiple of what JPEG works in. */
#define HF_TILE 64

typedef struct HfTiles HfTiles;

HfTiles *hf_tiles_new(void);
void hf_tiles_free(HfTiles *tiles);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfTiles, hf_tiles_free)

/* The parts (HfRect) that differ from the picture that was compared before; all of it, in one part,
 * when there was none, or one of another size, or when most of it differs. Empty: none. */
GArray *hf_tiles_compare(HfTiles *tiles, const HfImage *image);
/* The next picture is new as a whole. */
void hf_tiles_forget(HfTiles *tiles);

/* Of all of a picture, to recognise it again. */
guint64 hf_image_hash(const HfImage *image);
