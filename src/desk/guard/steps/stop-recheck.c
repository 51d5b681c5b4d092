/* SPDX-License-Identifier: Apache-2.0 */
/* Was the call stopped, or did a person step in, while it waited for its turn? A call that must
 * wait for a person gives its turn back, waits and queues again (the repeated steps), as often as
 * needed. */
#include "desk/guard/steps/steps.h"
#include "desk/guard/stop/stop-gate.h"

gboolean hf_step_stop_recheck(HfPassage *passage, GError **error)
{
    while (hf_takeover_makes_wait(passage) && !hf_stop_gate_is_quiet(passage->pass)) {
        hf_step_turn_release(passage);
        if (!hf_guard_repeat_steps(passage, error))
            return FALSE;
    }
    return hf_stop_gate_pass_check(passage->pass, error);
}
