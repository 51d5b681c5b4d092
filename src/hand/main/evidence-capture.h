/* SPDX-License-Identifier: Apache-2.0 */
/* What the hand sees around a call, for evidence: pictures before and after, and what it runs on.
 * It costs nothing when nothing is asked for, and can never make a call fail. */
#pragma once

#include "shared/tool/errand.h"

/* Both add to `seen` what the errand asks for. */
void hf_evidence_capture_before(const HfCallContext *context, const HfErrand *errand,
                                HfResult *seen);
void hf_evidence_capture_after(const HfCallContext *context, const HfErrand *errand,
                               gboolean failed, HfResult *seen);
