/* SPDX-License-Identifier: Apache-2.0 */
/* Anchors: things that may be meant as the other end of a tie. */
#pragma once

#include "hand/locate/pick.h"

typedef struct HfAnchor {
    int thing;
    double score;
} HfAnchor;

/* A worse one only resembles what was said, and is taken where there is no better. */
#define HF_LEAST_ANCHOR 0.35

/* HfAnchor, best first. */
GArray *hf_anchors_find(const HfScene *scene, const HfTie *tie, const HfDescription *description);
/* All that are about as good as the best: what stands for a box that nobody tells. */
GArray *hf_anchors_find_alike(const HfScene *scene, const HfDescription *description);
/* What is tied to them is worth so much. */
double hf_anchors_trust(const GArray *anchors);
