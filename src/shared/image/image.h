/* SPDX-License-Identifier: Apache-2.0 */
/* A picture in memory: 32 bits per pixel, bytes B G R X. The X byte is undefined and never read as
 * alpha: X servers leave garbage in it, and taking it for alpha turns windows black. */
#pragma once

#include <glib.h>

#include "shared/base/geometry.h"
#include "shared/base/types.h"

struct HfImage {
    int width, height;
    int stride; /* bytes per row */
    guint8 *pixels;
    GDestroyNotify release; /* called with `owner` when the image is freed */
    gpointer owner;
};

/* Rows are padded so that vector code may read up to 64 bytes past the last pixel. */
HfImage *hf_image_new(int width, int height);
/* A picture in other memory (a shared memory segment); `release(owner)` gives it back. */
HfImage *hf_image_new_view(int width, int height, int stride, guint8 *pixels,
                           GDestroyNotify release, gpointer owner);
void hf_image_free(HfImage *image);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfImage, hf_image_free)

static inline guint32 *hf_image_row(const HfImage *image, int y)
{
    return (guint32 *)(gpointer)(image->pixels + (gsize)y * (gsize)image->stride);
}
