/* SPDX-License-Identifier: Apache-2.0 */
/* Whoever listens is told how the call ended. */
#include "desk/guard/steps/steps.h"
#include "desk/records/events/call-events.h"

void hf_step_finish_event(HfPassage *passage)
{
    hf_call_event_finished(passage);
}
