/* SPDX-License-Identifier: Apache-2.0 */
/* Area averaging of B G R X pixels for ratios from 1 to 2 with AVX2: as fast as the machine can,
 * as narrow as the benchmark needs. */
#pragma once

#include <stdint.h>

typedef struct FloorScaler FloorScaler;

/* NULL when this processor or these sizes cannot do it. */
FloorScaler *floor_scaler_new(int from_width, int from_height, int to_width, int to_height);
void floor_scaler_run(FloorScaler *scaler, const uint8_t *from, uint8_t *to);
