/* SPDX-License-Identifier: Apache-2.0 */
/* Does the answer carry text that others wrote? Then the run and the connection have read it. */
#include "desk/guard/policy/taint.h"
#include "desk/guard/steps/steps.h"
#include "shared/base/error.h"
#include "shared/tool/effect.h"

/* A dry run shows the window that would be hit. */
static HfReads reads_of_preview(HfTarget target)
{
    return target == HF_TARGET_NOTHING || target == HF_TARGET_PROGRAM
               ? 0
               : HF_READS_SCREEN | HF_READS_PROGRAMS;
}

/* Some members of a result are optional, and carry names that others gave. */
static HfReads reads_of_members(const HfTool *tool, const HfResult *result)
{
    for (const HfParam *member = tool->result; member && member->name; member++)
        if (member->others && json_object_get(result->json, member->name))
            return HF_READS_SCREEN | HF_READS_PROGRAMS;
    return 0;
}

/* What an answer carries: by declaration of its tool; an error of the hand that goes into details
 * names windows too. */
static HfReads reads_of_answer(const HfPassage *passage)
{
    const HfAnswer *answer = passage->answer;
    if (!passage->performed)
        return 0;
    if (passage->tool->service)
        return passage->carried;
    HfReads effect = hf_effect_names_others(answer->effect) ? HF_READS_PROGRAMS : 0;
    if (!answer->error)
        return passage->dry_run ? reads_of_preview(passage->tool->target)
                                : (passage->tool->reads & ~HF_READS_NOTHING) |
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
