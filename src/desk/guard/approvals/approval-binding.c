/* SPDX-License-Identifier: Apache-2.0 */
/* The hash covers the tool, its parameters, the desktop, the caller and the content of the files
 * that the call runs. A call that differs in any of them needs another approval. */
#include "desk/guard/approvals/approval-binding.h"

static char *dup_hash(const HfPassage *passage, const char *caller)
{
    g_autoptr(json_t) call =
        json_pack("{s:s, s:O, s:s, s:o}", "tool", passage->tool->name, "params", passage->params,
                  "desktop", passage->desktop, "caller", hf_json_text(caller));
    const char *sha256 = passage->errand.inspected_sha256;
    if (sha256 && *sha256) /* the content of a file counts like a parameter */
        json_object_set_new(call, "weighed", json_string(sha256));
    char *text = json_dumps(call, JSON_COMPACT | JSON_SORT_KEYS);
    char *hash = g_compute_checksum_for_string(G_CHECKSUM_SHA256, text, -1);
    free(text);
    return hash;
}

json_t *hf_approval_binding_new(const HfPassage *passage)
{
    g_autofree char *caller = hf_caller_dup_key(passage->request->caller);
    g_autofree char *hash = dup_hash(passage, caller);
    const char *pattern = passage->judgement.decision.pattern;
    gboolean tainted = passage->judgement.tainted || passage->judgement.tainted_file;
    /* An answer for one macro must not cover another, which may hold anything. */
    g_autofree char *tool = passage->flow ? g_strdup_printf("%s#%.16s", passage->tool->name, hash)
                                          : g_strdup(passage->tool->name);
    return json_pack("{s:s, s:s, s:o, s:s, s:s, s:i, s:i}", "tool", tool, "project",
                     hf_json_string(passage->request->params, "project", ""), "caller",
                     hf_json_text(caller), "hash", hash, "pattern", pattern ? pattern : "", "risk",
                     (int)passage->judgement.risk, "tainted", tainted ? 1 : 0);
}

json_t *hf_approval_list_scripts(const json_t *inspected, gboolean with_content)
{
    const json_t *files = json_object_get(inspected, "files");
    if (json_array_size(files) == 0)
        return NULL;
    json_t *scripts = json_deep_copy(files);
    hf_json_each (script, with_content ? NULL : scripts)
        json_object_del(script, "content");
    return scripts;
}

gboolean hf_approval_is_remembered(HfPassage *passage, const json_t *call)
{
    if (passage->judgement.decision.memory == HF_MEMORY_NEVER)
        return FALSE;
    passage->judgement.decision.approval_id =
        hf_approvals_find_remembered(passage->guard->approvals, call, NULL);
    return passage->judgement.decision.approval_id != NULL;
}
