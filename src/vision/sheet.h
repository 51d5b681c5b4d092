/* What a picture looked like, without the picture: enough to say later which of its pixels are
 * others. A sheet is plain bytes, so that those who keep it need not know what it is; about an
 * eighth of a byte for each pixel. */
#pragma once

#include "base/image.h"

/* How another picture differs from the one before. Places are pixels of the picture. */
typedef struct HfSheetChange {
    GArray *rects;    /* of HfRect: what has changed, neighbours in one, at most HF_SHEET_RECTS */
    double share;     /* of the picture, 0 to 1 */
    gboolean ignored; /* something has changed where it does not count */
} HfSheetChange;

#define HF_SHEET_RECTS 32

void hf_sheet_change_clear(HfSheetChange *change);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(HfSheetChange, hf_sheet_change_clear)

GBytes *hf_sheet_new(const HfImage *image);
/* Differences within `ignore` (HfRect, may be NULL) do not count. A pixel that differs is always in
 * one of the rectangles or ignored. FALSE when the pictures are not of one size: then nothing can
 * be said. */
gboolean hf_sheet_compare(GBytes *before, GBytes *now, const GArray *ignore,
                          HfSheetChange *ret_change);
/* Of the tiles that the area touches, to recognise them again. */
guint64 hf_sheet_hash_area(GBytes *sheet, HfRect area);
