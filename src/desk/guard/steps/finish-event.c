/* SPDX-License-Identifier: Apache-2.0 */
/* Emits the event that the call has ended. */
#include "desk/guard/call-events.h"
#include "desk/guard/steps/steps.h"

void hf_step_finish_event(HfPassage *passage)
{
    hf_call_event_finished(passage);
}
