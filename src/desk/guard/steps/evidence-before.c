/* SPDX-License-Identifier: Apache-2.0 */
/* What should the evidence of the call's run show? The errand says which pictures the hand takes
 * around the action; evidence-after stores them. */
#include "desk/guard/steps/steps.h"
#include "desk/records/audit/redact.h"
#include "desk/records/evidence/run.h"
#include "shared/base/limits.h"

#define PICTURE_QUALITY 60

/* A tool that needs neither screen nor input needs no picture. */
HfWitness hf_evidence_witness(const char *policy, const HfTool *tool)
{
    gboolean looks = (tool->flags & HF_TOOL_READ_ONLY) != 0;
    gboolean unseen = tool->needs == HF_NEEDS_NEITHER;
    if (g_str_equal(policy, "none"))
        return 0;
    if (g_str_equal(policy, "failures") || (g_str_equal(policy, "actions") && (looks || unseen)))
        return HF_WITNESS_FAILURE;
    return looks || unseen ? HF_WITNESS_AFTER : HF_WITNESS_BEFORE | HF_WITNESS_AFTER;
}

/* A run id is text of the caller and becomes the name of a folder, so secrets are redacted. */
HfRun *hf_evidence_ensure_run_of(const HfPassage *passage)
{
    g_autofree char *name = hf_redact_text(passage->answer->run_id, HF_LIMIT_NAME_BYTES);
    return hf_evidence_ensure_run(passage->guard->evidence, name);
}

gboolean hf_step_evidence_before(HfPassage *passage, GError **error)
{
    const char *policy = hf_config_string(passage->config, "evidence.policy");
    if (passage->request->human || g_str_equal(policy, "none"))
        return TRUE;
    HfErrand *errand = &passage->errand;
    HfRun *run = passage->evidence.run = hf_evidence_ensure_run_of(passage);
    errand->witness |= hf_evidence_witness(policy, passage->tool);
    errand->edge = (int)hf_config_int(passage->config, "evidence.picture_edge");
    errand->quality = PICTURE_QUALITY;
    errand->settle_ms = (guint)hf_config_int(passage->config, "evidence.settle_ms");
    g_mutex_lock(&run->lock);
    if (!run->environment_known)
        errand->witness |= g_str_equal(policy, "failures") ? HF_WITNESS_ENVIRONMENT_IF_FAILED
                                                           : HF_WITNESS_ENVIRONMENT;
    passage->evidence.known_picture = g_strdup(run->last.token);
    g_mutex_unlock(&run->lock);
    errand->known = passage->evidence.known_picture;
    return TRUE;
}
