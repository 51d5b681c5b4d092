/* SPDX-License-Identifier: Apache-2.0 */
/* From what was seen of an action to what is said of it. Pure. */
#pragma once

#include "hand/verify/observation.h"

/* As shared/tool/effect.h describes it. */
json_t *hf_verdict_of_observation(const HfObservation *sight);
/* Where something was drawn; makes fewer of them. */
json_t *hf_verdict_rects_to_json(GArray *drawn);
