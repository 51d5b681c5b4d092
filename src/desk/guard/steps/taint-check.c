/* SPDX-License-Identifier: Apache-2.0 */
/* Has the call's run read text that others wrote? Then the policy may be stricter. */
#include "desk/guard/policy/taint.h"
#include "desk/guard/steps/steps.h"

gboolean hf_step_taint_check(HfPassage *passage, GError **error)
{
    HfReads reads = hf_taint_get(passage->guard->taint, passage->request->caller,
                                 passage->answer->run_id, hf_passage_names_run(passage));
    passage->judgement.tainted = reads != 0;
    return TRUE;
}
