/* From what was seen of an action to what is said of it. Pure. */
#pragma once

#include "hand/effect/sight.h"

/* As tool/effect.h describes it. */
json_t *hf_verdict_of_sight(const HfSight *sight);
/* Where something was drawn; makes fewer of them. */
json_t *hf_verdict_tell_rects(GArray *drawn);
