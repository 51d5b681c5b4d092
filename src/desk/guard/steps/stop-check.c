/* SPDX-License-Identifier: Apache-2.0 */
/* Step 2 and its repetitions: nothing is stopped, paused or aborted, and no person is using the
 * desktop that the call wants to use. */
#include "desk/guard/flow/flow.h"
#include "desk/guard/passage.h"
#include "desk/guard/stop/stop-control.h"
#include "desk/guard/stop/stop-gate.h"
#include "desk/records/events/call-events.h"

gboolean hf_step_not_stopped(HfPassage *passage, GError **error)
{
    const char *desktop = hf_json_string(passage->request->params, "desktop", "main");
    passage->pass = hf_stop_gate_enter(passage->guard->gate, desktop, passage->answer->run_id,
                                       passage->request->cancellable, error);
    if (!passage->pass)
        return FALSE;
    passage->cancellable = hf_stop_gate_pass_get_cancellable(passage->pass);
    return TRUE;
}

/* Whether it waits for a person: nobody waits for themselves. */
static gboolean steps_back(const HfPassage *passage)
{
    return passage->needs == HF_NEEDS_INPUT && !passage->request->human;
}

/* Not while it is its turn: those who only look must not wait for a person. So a step of a macro
 * does not wait at all: where a person has stepped in, the macro ends. */
gboolean hf_step_await_quiet(HfPassage *passage, GError **error)
{
    HfDeadline now = hf_deadline_in_ms(0, passage->cancellable);
    HfGuard *guard = passage->guard;
    if (passage->request->human && guard->hands && guard->hands->touch)
        guard->hands->touch(passage->desktop, guard->data);
    if (!steps_back(passage))
        return TRUE;
    if (!hf_stop_gate_is_quiet(passage->pass))
        hf_call_event_waiting(passage, "person", NULL);
    const HfPassage *within = passage->request->within;
    return hf_stop_gate_await_quiet(
        passage->pass, within && within->flow->exclusive ? &now : &passage->deadline, error);
}

gboolean hf_step_still_not_stopped(HfPassage *passage, GError **error)
{
    while (steps_back(passage) && !hf_stop_gate_is_quiet(passage->pass)) {
        hf_step_leave_turn(passage);
        if (!hf_step_await_quiet(passage, error) || !hf_step_take_turn(passage, error))
            return FALSE;
    }
    return hf_stop_gate_pass_check(passage->pass, error);
}

void hf_step_leave_gate(HfPassage *passage)
{
    hf_stop_gate_leave(passage->pass, &passage->answer->error);
    passage->pass = NULL;
    passage->cancellable = NULL;
}
