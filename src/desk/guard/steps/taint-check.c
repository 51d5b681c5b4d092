/* SPDX-License-Identifier: Apache-2.0 */
/* Has the caller, or the run that it names, read text that others wrote? Then the policy may be
 * stricter. */
#include "desk/guard/policy/taint.h"
#include "desk/guard/steps/steps.h"

gboolean hf_step_taint_check(HfPassage *passage, GError **error)
{
    HfTaintScope scope = hf_passage_taint_scope(passage);
    passage->judgement.taint = hf_taint_get(passage->guard->taint, &scope);
    passage->judgement.tainted = passage->judgement.taint.reads != 0;
    return TRUE;
}
