/* SPDX-License-Identifier: Apache-2.0 */
/* How did the call end? A result that cannot be written is told to the caller, and written before
 * anything else happens. */
#include "desk/guard/audit-row.h"
#include "desk/guard/steps/steps.h"

/* The intent is on the disk already. If the power fails now, an intent without a result stays,
 * which says that the call may have been done. But what an answer promises for later (that the call
 * can be undone, that it will not be done twice) must be on the disk before the answer. */
static gboolean may_be_written_soon(const HfPassage *passage)
{
    return passage->intended && !passage->recall.work && !hf_ledger_can_undo(passage);
}

/* What must be written in the same transaction as the row. */
static gboolean write_work_beside(HfStoreSession *session, gpointer data, GError **error)
{
    HfPassage *passage = data;
    HfStoreWork recall = passage->recall.work;
    if (recall && !recall(session, passage->recall.entry, error))
        return FALSE;
    hf_ledger_write(session, passage);
    return TRUE;
}

void hf_step_audit_result(HfPassage *passage)
{
    HfAnswer *answer = passage->answer;
    if (passage->errand.meanwhile) /* no hand was reached */
        hf_audit_write_intent(passage, NULL);
    gboolean refused = !passage->intended && answer->error && !answer->replayed;
    passage->recall.work = hf_idempotency_work_after(passage->recall.entry, passage);
    if (hf_audit_row_is_off(passage)) {
        gboolean beside = passage->recall.work || hf_ledger_has_change(passage);
        hf_audit_write_work(passage, beside ? write_work_beside : NULL, passage, &answer->warning);
        return;
    }
    json_t *body = hf_audit_row_new_call(passage, refused ? "refusal" : "result");
    if (!passage->intended)
        hf_audit_row_set_request(body, passage);
    hf_audit_row_set_outcome(body, passage);
    HfAuditEntry entry = {.take_body = body,
                          .keep = passage->intended,
                          .soon = may_be_written_soon(passage),
                          .also = write_work_beside,
                          .data = passage};
    hf_audit_append(passage->guard->audit, entry, refused ? NULL : &answer->warning);
}
