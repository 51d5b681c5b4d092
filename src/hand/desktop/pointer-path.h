/* SPDX-License-Identifier: Apache-2.0 */
/* The way a pointer takes from one point to another: places and times, worked out before the
 * first step. Pure: nothing here moves anything. */
#pragma once

#include "shared/base/geometry.h"

typedef enum HfCurve {
    HF_CURVE_LINE, /* straight, slow at both ends */
    HF_CURVE_ARC,  /* bent to one side like the swing of a wrist */
} HfCurve;

typedef struct HfPointerPathShape {
    HfCurve curve;
    int jitter_px; /* how far a step may lie beside the curve, in each direction */
} HfPointerPathShape;

typedef struct HfPointerPathStep {
    HfPoint point;
    gint64 at_us; /* after the start */
} HfPointerPathStep;

/* The steps after `from`, at most one every HF_POINTER_PATH_STEP_US. The last one is `to` exactly,
 * at `duration_us`; a duration of 0 gives that step alone. Free with g_array_unref. */
#define HF_POINTER_PATH_STEP_US 8000
GArray *hf_pointer_path_new(HfPoint from, HfPoint to, gint64 duration_us,
                            const HfPointerPathShape *shape, GRand *random);

/* How long a person takes for such a way. */
gint64 hf_pointer_path_human_duration_us(HfPoint from, HfPoint to);
