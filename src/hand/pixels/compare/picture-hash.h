/* SPDX-License-Identifier: Apache-2.0 */
/* What a picture looked like, without the picture: enough to say later which of its pixels are
 * others. A sheet is plain bytes, so that those who keep it need not know what it is; about an
 * eighth of a byte for each pixel. */
#pragma once

#include "shared/image/image.h"

/* How another picture differs from the one before. Places are pixels of the picture. */
typedef struct HfPictureHashChange {
    GArray
        *rects; /* of HfRect: what has changed, neighbours in one, at most HF_PICTURE_HASH_RECTS */
    double share;     /* of the picture, 0 to 1 */
    gboolean ignored; /* something has changed where it does not count */
} HfPictureHashChange;

#define HF_PICTURE_HASH_RECTS 32

void hf_picture_hash_change_clear(HfPictureHashChange *change);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(HfPictureHashChange, hf_picture_hash_change_clear)

GBytes *hf_picture_hash_new(const HfImage *image);
/* Differences within `ignore` (HfRect, may be NULL) do not count. A pixel that differs is always in
 * one of the rectangles or ignored. FALSE when the pictures are not of one size: then nothing can
 * be said. */
gboolean hf_picture_hash_compare(GBytes *before, GBytes *now, const GArray *ignore,
                                 HfPictureHashChange *ret_change);
/* Of the tiles that the area touches, to recognise them again. */
guint64 hf_picture_hash_of_area(GBytes *sheet, HfRect area);
