/* SPDX-License-Identifier: Apache-2.0 */
/* Pictures of pages as the browser draws them, with password fields covered. */
#pragma once

#include "hand/browser/page/tab-session.h"
#include "shared/base/geometry.h"

typedef struct HfPagePicture {
    GBytes *bytes; /* JPEG */
    HfSize size;
    double scale; /* picture pixels per pixel of the page */
} HfPagePicture;

typedef struct HfPageClip {
    double x, y, width, height; /* from the origin of the page; width 0: what is in view */
} HfPageClip;

/* No edge is longer than `edge`. FORBIDDEN when the owner blurs the window in pictures. */
gboolean hf_page_picture_take(HfTabSession *session, const HfPageClip *clip, int edge,
                              HfPagePicture *ret_picture, GError **error);
/* What is in view, with a mark around an element. `offset` is the origin of the element's frame.
 * NULL: no picture could be taken. */
GBytes *hf_page_picture_marked(HfTabSession *session, const json_t *element,
                               const HfPagePoint *offset);
