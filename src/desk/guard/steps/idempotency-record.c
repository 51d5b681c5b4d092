/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps the answer for when the same call comes again. */
#include "desk/guard/idempotency-keys.h"
#include "desk/guard/steps/steps.h"

void hf_step_idempotency_record(HfPassage *passage)
{
    hf_idempotency_end(passage);
}
