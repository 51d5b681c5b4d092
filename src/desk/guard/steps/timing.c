/* SPDX-License-Identifier: Apache-2.0 */
/* Measures what the guard itself costs, for the benchmark. In test mode only. */
#include "desk/guard/steps/steps.h"

void hf_step_timing(HfPassage *passage)
{
    HfAnswer *answer = passage->answer;
    if (!passage->guard->check_results || answer->error || answer->dry_run)
        return;
    answer->perform_us = passage->timing.perform_us;
    answer->guard_us = g_get_monotonic_time() - answer->started - passage->timing.perform_us;
}
