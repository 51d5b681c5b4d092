/* SPDX-License-Identifier: Apache-2.0 */
/* Where a small picture stands in a large one: by how its light and dark correlate, so that another
 * brightness or contrast does not matter, at sizes a little smaller or larger too. Transparent
 * parts of it do not count. Pure. */
#pragma once

#include "shared/image/image.h"

typedef struct HfTemplateHit {
    HfRect box;        /* in pixels of the large picture */
    double score;      /* correlation, up to 1 */
    double scale;      /* of the small picture there */
    gboolean inverted; /* light is dark there, as in another theme */
} HfTemplateHit;

typedef struct HfTemplateSearch {
    double threshold; /* the least correlation */
    guint most;       /* hits */
    gint64 until;     /* monotonic time at which it ends with what it has */
} HfTemplateSearch;

/* The hits (HfTemplateHit), best first, none on another. First at its own size; others are tried
 * when it is nowhere to be seen so. The fourth byte of the small picture is its alpha.
 * INVALID_PARAMS when that has nothing to be recognised by, or is larger than the large one;
 * LIMIT_EXCEEDED when it is too large. `ret_late`: the time was over; may be NULL. */
GArray *hf_image_find_template(const HfImage *image, const HfImage *small,
                               const HfTemplateSearch *search, gboolean *ret_late, GError **error);
