/* SPDX-License-Identifier: Apache-2.0 */
/* An answer is bound to a call by a hash over all that counts: the tool, its parameters, the
 * desktop, the caller and the file that it runs. */
#include "desk/guard/approvals/approval-binding.h"

#include "desk/guard/flow/flow.h"

static char *dup_hash(const HfPassage *passage, const char *caller)
{
    g_autoptr(json_t) call =
        json_pack("{s:s, s:O, s:s, s:o}", "tool", passage->tool->name, "params", passage->params,
                  "desktop", passage->desktop, "caller", hf_json_text(caller));
    if (passage->errand.weighed) /* what is in a file counts as if it were a parameter */
        json_object_set_new(call, "weighed", json_string(passage->errand.weighed));
    char *text = json_dumps(call, JSON_COMPACT | JSON_SORT_KEYS);
    char *hash = g_compute_checksum_for_string(G_CHECKSUM_SHA256, text, -1);
    free(text);
    return hash;
}

json_t *hf_judge_new_call(const HfPassage *passage)
{
    g_autofree char *caller = hf_caller_dup_key(passage->request->caller);
    g_autofree char *hash = dup_hash(passage, caller);
    const char *pattern = passage->judgement.decision.pattern;
    /* No answer about a macro covers another one that may hold anything. */
    g_autofree char *tool = passage->flow ? g_strdup_printf("%s#%.16s", passage->tool->name, hash)
                                          : g_strdup(passage->tool->name);
    return json_pack("{s:s, s:s, s:o, s:s, s:s, s:i, s:i}", "tool", tool, "project",
                     hf_json_string(passage->request->params, "project", ""), "caller",
                     hf_json_text(caller), "hash", hash, "pattern", pattern ? pattern : "", "risk",
                     (int)passage->judgement.risk, "tainted", passage->judgement.tainted ? 1 : 0);
}

gboolean hf_judge_is_remembered(HfPassage *passage, const json_t *call)
{
    if (passage->judgement.decision.memory == HF_MEMORY_NEVER)
        return FALSE;
    passage->judgement.decision.approval_id =
        hf_approvals_find_remembered(passage->guard->approvals, call, NULL);
    return passage->judgement.decision.approval_id != NULL;
}
