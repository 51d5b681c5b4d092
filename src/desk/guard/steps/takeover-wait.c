/* SPDX-License-Identifier: Apache-2.0 */
/* Is a person using the desktop? Then input waits until they pause. This comes before the turn, so
 * that read-only calls do not queue behind one that waits for a person. A step of a macro has the
 * turn already and does not wait: when a person steps in, the macro ends. stop-recheck repeats this
 * step. */
#include "desk/guard/call-events.h"
#include "desk/guard/flow/flow.h"
#include "desk/guard/steps/steps.h"
#include "desk/guard/stop/stop-control.h"
#include "desk/guard/stop/stop-gate.h"

gboolean hf_takeover_makes_wait(const HfPassage *passage)
{
    return passage->needs == HF_NEEDS_INPUT && !passage->request->human;
}

gboolean hf_step_takeover_wait(HfPassage *passage, GError **error)
{
    HfDeadline now = hf_deadline_in_ms(0, passage->cancellable);
    HfGuard *guard = passage->guard;
    if (passage->request->human && guard->hands && guard->hands->touch)
        guard->hands->touch(passage->desktop, guard->data);
    if (!hf_takeover_makes_wait(passage))
        return TRUE;
    if (!hf_stop_gate_is_quiet(passage->pass))
        hf_call_event_waiting(passage, "person", NULL);
    const HfPassage *within = passage->request->within;
    return hf_stop_gate_await_quiet(
        passage->pass, within && within->flow->exclusive ? &now : &passage->deadline, error);
}
