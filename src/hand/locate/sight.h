/* SPDX-License-Identifier: Apache-2.0 */
/* What a picture shows before anything is read: where text stands, and what looks as if it could be
 * used. A picture that was looked at a
 * moment ago is recognised, so that what has not changed costs next to nothing. */
#pragma once

#include "shared/image/image.h"

typedef struct HfSight {
    gatomicrefcount references;
    HfSize size;
    guint64 hash;
    GArray *rows;   /* of HfRect, in pixels of the picture; see hand/pixels/text/text-rows.h */
    gboolean cut;   /* there are more */
    GArray *shapes; /* of HfShape, in the same pixels */
} HfSight;

/* Shared, never changed. */
HfSight *hf_sight_new(const HfImage *image);
void hf_sight_unref(HfSight *sight);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfSight, hf_sight_unref)
/* Forgets all pictures, for tests. */
void hf_sights_forget(void);
