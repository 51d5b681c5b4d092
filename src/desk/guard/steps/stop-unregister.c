/* SPDX-License-Identifier: Apache-2.0 */
/* Unregisters the call from the gate. If a stop has cancelled it, the error says so. Looks and
 * calls that go on in the background leave the gate too. */
#include "desk/guard/steps/steps.h"
#include "desk/guard/stop/stop-gate.h"

void hf_step_stop_unregister(HfPassage *passage)
{
    hf_stop_gate_leave(passage->pass, &passage->answer->error);
    passage->pass = NULL;
    passage->cancellable = NULL;
}
