/* SPDX-License-Identifier: Apache-2.0 */
/* Scales pictures: by area averaging to a smaller size, which keeps small text readable, and
 * bilinearly to a larger one. It makes one row at a time, so that an encoder gets them from the
 * processor's cache and no second picture is needed. */
#pragma once

#include "shared/image/image.h"

typedef struct HfScaler HfScaler;

/* Borrows the source. Both sizes are at least 1 x 1. */
HfScaler *hf_scaler_new(const HfImage *source, HfSize size);
/* The same for another thread; must not outlive `scaler`. A scaler serves one thread. */
HfScaler *hf_scaler_new_twin(const HfScaler *scaler);
void hf_scaler_free(HfScaler *scaler);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfScaler, hf_scaler_free)

/* Row `y` of the scaled picture. It is written to `room`, which holds one row, or lies in the
 * source if the size is the same. */
const guint32 *hf_scaler_get_row(HfScaler *scaler, int y, guint32 *room);

HfImage *hf_image_scale(const HfImage *source, HfSize size);

/* Shrinks `size` so that its longer edge is at most `max_edge` (0: any), with the same shape. */
HfSize hf_size_fit(HfSize size, int max_edge);

/* For tests: without vector instructions. */
void hf_scaler_use_portable(HfScaler *scaler);
