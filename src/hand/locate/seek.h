/* SPDX-License-Identifier: Apache-2.0 */
/* Looking for what somebody describes, on a desktop or on a picture. */
#pragma once

#include "hand/atspi/read/tree-snapshot.h"
#include "hand/desktop/screen.h"
#include "hand/locate/pick.h"

typedef struct HfSought {
    HfTree *tree;
    HfScene *scene;
    HfPick *pick;
    gboolean everywhere;    /* not only in the window in front */
    HfTruncation truncated; /* why not all was looked at; then the pick is not confident */
    gboolean unsure;        /* it would be, if that were all */
} HfSought;
void hf_sought_clear(HfSought *sought);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(HfSought, hf_sought_clear)

typedef struct HfSeekScope {
    HfTreeScope access;
    gboolean front_first; /* the window in front, and only if it is not clear there, everything */
    HfRect region;        /* only there; empty: anywhere */
} HfSeekScope;

gboolean hf_seek(const HfCallContext *context, const HfDescription *description,
                 const HfSeekScope *scope, const HfDeadline *deadline, HfSought *ret_sought,
                 GError **error);
/* On a picture that was given: by what is written on it. */
gboolean hf_seek_on_image(const HfImage *image, const HfDescription *description, HfRect region,
                          const HfDeadline *deadline, HfSought *ret_sought, GError **error);
