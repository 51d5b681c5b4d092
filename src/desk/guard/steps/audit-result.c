/* SPDX-License-Identifier: Apache-2.0 */
/* How did the call end? If the row cannot be written, the caller gets a warning, and the row is
 * written before any later one. */
#include "desk/guard/audit-row.h"
#include "desk/guard/ledger-write.h"
#include "desk/guard/steps/steps.h"

/* The intent is on the disk already. If the power fails now, an intent without a result remains,
 * which says that the call may have been done. But what an answer promises for later (an undo, an
 * idempotency key) must be on the disk before the answer. */
static gboolean may_be_written_soon(const HfPassage *passage)
{
    return passage->intended && !passage->idempotency.work && !hf_passage_can_undo(passage);
}

/* What must be written in the same transaction as the row. */
static gboolean write_work_beside(HfStoreSession *session, gpointer data, GError **error)
{
    HfPassage *passage = data;
    HfStoreWork work = passage->idempotency.work;
    if (work && !work(session, passage->idempotency.entry, error))
        return FALSE;
    hf_passage_write_change(session, passage);
    return TRUE;
}

void hf_step_audit_result(HfPassage *passage)
{
    HfAnswer *answer = passage->answer;
    if (passage->errand.meanwhile && !passage->counted) /* no hand was reached */
        hf_audit_write_intent(passage, NULL);
    gboolean refused = !passage->intended && answer->error && !answer->replayed;
    passage->idempotency.work = hf_idempotency_work_after(passage->idempotency.entry, passage);
    if (passage->counted || hf_audit_row_is_off(passage)) {
        gboolean beside = passage->idempotency.work || hf_passage_has_change(passage);
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
