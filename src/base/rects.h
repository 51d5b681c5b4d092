/* What is left of an area when others lie on top of it. */
#pragma once

#include "base/geometry.h"

/* Takes the hole out of each rectangle (GArray of HfRect); what is left does not overlap. */
void hf_rects_subtract(GArray *rects, HfRect hole);
