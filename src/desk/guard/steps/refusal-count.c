/* SPDX-License-Identifier: Apache-2.0 */
/* Is it one of many equal refusals? Then it is counted, and neither the audit nor the evidence
 * keeps it one by one: an agent that repeats a refused call must not be able to fill the disk. A
 * call that reached no hand counts as refused, too. */
#include "desk/guard/audit-row.h"
#include "desk/guard/steps/steps.h"
#include "desk/records/audit/refusal-counter.h"

void hf_step_refusal_count(HfPassage *passage)
{
    const HfAnswer *answer = passage->answer;
    if (!answer->error || answer->replayed || passage->intended || hf_audit_row_is_off(passage))
        return;
    passage->counted = !hf_refusal_counter_note(passage->guard->refusals, passage->request->caller,
                                                passage->tool ? passage->tool->name : NULL,
                                                hf_error_code(answer->error));
}
