/* SPDX-License-Identifier: Apache-2.0 */
/* How things lie to the anchors of a tie: how far away, and on which side. */
#pragma once

#include "hand/atspi/selector/proximity.h"
#include "hand/locate/anchors.h"

typedef struct HfLie {
    double cost; /* pixels, as a person feels them; G_MAXDOUBLE: it does not lie so */
    int anchor;  /* the thing; -1: none */
    gboolean askew;
} HfLie;

/* What is below a title is further away than what lies in a box, and what stands above it is as if
 * it were so much further away. */
#define HF_TITLE_PX       40
#define HF_ABOVE_TITLE_PX 300

/* The direction that a tie speaks of; ANY: none. */
HfDirection hf_tie_direction(HfTieKind kind);
/* `reading`: by which it is weighed; NULL: none. */
HfLie hf_lie_of(const HfScene *scene, const HfTie *tie, const GArray *anchors, int index,
                const HfReading *reading);
