/* SPDX-License-Identifier: Apache-2.0 */
/* Finds a small picture, the template, in a large one by the correlation of light and dark, so that
 * brightness and contrast do not matter. It may be a little smaller or larger there. Its
 * transparent parts do not count. Pure. */
#pragma once

#include "shared/image/image.h"

typedef struct HfTemplateHit {
    HfRect box;        /* in pixels of the large picture */
    double score;      /* correlation, up to 1 */
    double scale;      /* of the small picture there */
    gboolean inverted; /* light and dark are swapped, as in another theme */
} HfTemplateHit;

typedef struct HfTemplateSearch {
    double threshold; /* the least correlation */
    guint most;       /* hits */
    gint64 until;     /* monotonic time at which it stops searching */
} HfTemplateSearch;

/* The hits (HfTemplateHit), best first, without overlaps. Other sizes are tried if it is not found
 * at its own. The fourth byte of `small` is alpha. INVALID_PARAMS: `small` has a single colour, is
 * too small, or larger than `image`. LIMIT_EXCEEDED: it is too large. `ret_late` (may be NULL): the
 * time was over. */
GArray *hf_image_find_template(const HfImage *image, const HfImage *small,
                               const HfTemplateSearch *search, gboolean *ret_late, GError **error);
