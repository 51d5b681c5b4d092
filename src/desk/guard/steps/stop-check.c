/* SPDX-License-Identifier: Apache-2.0 */
/* Has anyone stopped, paused or aborted this work? From here to stop-unregister the call is
 * registered with the gate, so that a stop cancels it wherever it waits. */
#include "desk/guard/steps/steps.h"
#include "desk/guard/stop/stop-gate.h"

gboolean hf_step_stop_check(HfPassage *passage, GError **error)
{
    const char *desktop = hf_json_string(passage->request->params, "desktop", "main");
    g_autofree char *caller = hf_caller_dup_key(passage->request->caller);
    HfStopScope call = {desktop, passage->answer->run_id, caller};
    passage->pass =
        hf_stop_gate_enter(passage->guard->gate, call, passage->request->cancellable, error);
    if (!passage->pass)
        return FALSE;
    passage->cancellable = hf_stop_gate_pass_get_cancellable(passage->pass);
    return TRUE;
}
