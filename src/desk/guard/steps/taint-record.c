/* SPDX-License-Identifier: Apache-2.0 */
/* Does the answer carry text that others wrote? Then the run and the connection have read it. */
#include "desk/guard/policy/taint.h"
#include "desk/guard/steps/steps.h"
#include "shared/base/error.h"
#include "shared/tool/effect.h"

/* Some optional members of a result carry names that others gave. */
static HfReads reads_of_members(const HfTool *tool, const HfResult *result)
{
    for (const HfParam *member = tool->result; member && member->name; member++)
        if (member->others && json_object_get(result->json, member->name))
            return HF_READS_SCREEN | HF_READS_PROGRAMS;
    return 0;
}

/* What an answer carries, as its tool declares. Errors with details can name windows too. */
static HfReads reads_of_answer(const HfPassage *passage)
{
    const HfAnswer *answer = passage->answer;
    if (!passage->performed)
        return 0;
    if (passage->tool->service)
        return passage->inner_reads;
    HfReads effect = hf_effect_names_others(answer->effect) ? HF_READS_PROGRAMS : 0;
    if (!answer->error && passage->dry_run) { /* shows the window that would be hit */
        HfTarget target = passage->tool->target;
        return target == HF_TARGET_NOTHING || target == HF_TARGET_PROGRAM
                   ? 0
                   : HF_READS_SCREEN | HF_READS_PROGRAMS;
    }
    if (!answer->error)
        return (passage->tool->reads & ~HF_READS_NOTHING) |
               reads_of_members(passage->tool, answer->result) | effect;
    g_autoptr(json_t) error = hf_error_to_json(answer->error);
    return json_object_get(error, "details") ? HF_READS_PROGRAMS : effect;
}

void hf_step_taint_record(HfPassage *passage)
{
    HfReads reads = reads_of_answer(passage);
    passage->answer->untrusted = reads;
    if (reads)
        hf_taint_add(passage->guard->taint, passage->request->caller, passage->answer->run_id,
                     hf_passage_names_run(passage), reads);
}
