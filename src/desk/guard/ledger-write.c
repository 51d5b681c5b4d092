/* SPDX-License-Identifier: Apache-2.0 */
/* Decides whether a call has changed something, and writes that into the ledger with the way to
 * undo it. A call that failed may have changed something all the same; then the ledger says that
 * nobody knows how it ended. */
#include "desk/guard/ledger-write.h"

#include "desk/records/ledger/ledger.h"
#include "shared/base/error.h"
#include "shared/tool/undo-reason.h"

/* A call that failed with this error may have changed something all the same. */
static gboolean may_have_acted(const GError *error)
{
    HfErrorCode code = hf_error_code(error);
    return code == HF_ERROR_OUTCOME_UNKNOWN || code == HF_ERROR_DESKTOP_TIMEOUT ||
           code == HF_ERROR_DESKTOP_ABORTED || code == HF_ERROR_VERIFY_FAILED;
}

/* How to undo the call; NULL when it has changed nothing. Owned. */
static json_t *undo_of(const HfPassage *passage)
{
    const HfAnswer *answer = passage->answer;
    if (!passage->performed || passage->dry_run || passage->tool->service ||
        (passage->tool->flags & HF_TOOL_READ_ONLY) ||
        (answer->error && !may_have_acted(answer->error)))
        return NULL;
    if (answer->error)
        return json_pack("{s:s}", "none", "its outcome is unknown");
    const HfResult *seen = passage->errand.ret_witness;
    json_t *undo = seen ? json_object_get(seen->json, "undo") : NULL;
    if (!undo)
        return json_pack("{s:s}", "none", hf_tool_undo_reason(passage->tool));
    if (g_str_equal(hf_json_string(undo, "none", ""), HF_UNDO_NOTHING))
        return NULL;
    return json_deep_copy(undo);
}

gboolean hf_passage_has_change(const HfPassage *passage)
{
    g_autoptr(json_t) undo = undo_of(passage);
    return undo != NULL;
}

gboolean hf_passage_can_undo(const HfPassage *passage)
{
    g_autoptr(json_t) undo = undo_of(passage);
    return undo && !json_object_get(undo, "none");
}

void hf_passage_write_change(HfStoreSession *session, HfPassage *passage)
{
    const HfCaller *caller = passage->request->caller;
    g_autoptr(json_t) undo = undo_of(passage);
    if (!undo)
        return;
    hf_undo_secrets_take_from(hf_ledger_get_secrets(passage->guard->ledger),
                              passage->answer->step_id, undo);
    HfLedgerEntry entry = {
        .time_ms = passage->answer->time_ms,
        .step_id = passage->answer->step_id,
        .run_id = passage->answer->run_id,
        .desktop = (char *)passage->desktop,
        .caller = (char *)hf_ledger_caller_name(caller->name),
        .tool = (char *)passage->tool->name,
        .undo = undo,
        .undoes = (char *)passage->request->undoes,
    };
    /* Losing the audit row because of the ledger would be worse than losing the entry. */
    hf_ledger_row_add(session, &entry, NULL);
}
