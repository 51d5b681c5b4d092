/* SPDX-License-Identifier: Apache-2.0 */
/* Evidence of a call: pictures before and after it, and its environment. Costs nothing unless asked
 * for, and must never make a call fail. */
#pragma once

#include "shared/tool/errand.h"

/* Both add to `seen` what the errand asks for. */
void hf_evidence_capture_before(const HfCallContext *context, const HfErrand *errand,
                                HfResult *seen);
void hf_evidence_capture_after(const HfCallContext *context, const HfErrand *errand,
                               gboolean failed, HfResult *seen);
