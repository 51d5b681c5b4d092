/* SPDX-License-Identifier: Apache-2.0 */
/* What a call would hit, found out by the hand that would do it, without doing it. */
#pragma once

#include "desk/guard/passage.h"

/* {"target": {...}} and a marked picture as "image"; see hand/tools/preview.h. The owner. */
HfResult *hf_preview_target(HfPassage *passage, GError **error);
