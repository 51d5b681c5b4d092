/* SPDX-License-Identifier: Apache-2.0 */
/* Pictures at another size: area averaging where they get smaller, which keeps small text
 * readable, and bilinear where they get larger. Rows are made one after another, so that an
 * encoder can take them while they are still in the processor's cache and no second picture has
 * to exist. */
#pragma once

#include "shared/image/image.h"

typedef struct HfScaler HfScaler;

/* Borrows the source. Both sizes at least 1 x 1. */
HfScaler *hf_scaler_new(const HfImage *source, HfSize size);
/* The same for another thread, while `scaler` is there: a scaler serves one thread at a time. */
HfScaler *hf_scaler_new_twin(const HfScaler *scaler);
void hf_scaler_free(HfScaler *scaler);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfScaler, hf_scaler_free)

/* Row `y` of the scaled picture: written to `room`, which holds one row of the new width, or where
 * it already lies in the source when nothing has to be done. */
const guint32 *hf_scaler_get_row(HfScaler *scaler, int y, guint32 *room);

HfImage *hf_image_scale(const HfImage *source, HfSize size);

/* The size of `size` when its longer edge shall not be longer than `max_edge` (0: any), with the
 * same shape; never larger. */
HfSize hf_size_fit(HfSize size, int max_edge);

/* For tests: do without the vector instructions of this processor. */
void hf_scaler_use_portable(HfScaler *scaler);
