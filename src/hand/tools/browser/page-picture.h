/* SPDX-License-Identifier: Apache-2.0 */
/* Pictures of pages, as the browser draws them: password fields are covered. */
#pragma once

#include "hand/browser/page/tab-session.h"
#include "shared/base/geometry.h"

typedef struct HfPagePicture {
    GBytes *bytes; /* JPEG */
    HfSize size;
    double scale; /* pixels of the picture for one of the page */
} HfPagePicture;

typedef struct HfPageClip {
    double x, y, width, height; /* in the page, from its beginning; width 0: what is in view */
} HfPageClip;

/* No edge is longer than `edge`. FORBIDDEN when the owner has the window covered in pictures. */
gboolean hf_page_picture_take(HfTabSession *visit, const HfPageClip *clip, int edge,
                              HfPagePicture *ret_picture, GError **error);
/* What is in view, with a mark around an element of a frame that begins there; NULL: none could be
 * taken. */
GBytes *hf_page_picture_marked(HfTabSession *visit, const json_t *element,
                               const HfPagePoint *offset);
