/* SPDX-License-Identifier: Apache-2.0 */
/* Is the call in the audit before it happens? A call that cannot be audited is refused. For calls
 * to a hand, the row is written while the call is on its way there, so a failing disk ends the call
 * in perform. */
#include "desk/guard/audit-row.h"
#include "desk/guard/call-events.h"
#include "desk/guard/steps/steps.h"

static gboolean write_intent_row(HfPassage *passage, GError **error)
{
    HfStoreWork work = hf_idempotency_work_before(passage->idempotency.entry);
    if (hf_audit_row_is_off(passage))
        return hf_audit_write_work(passage, work, passage->idempotency.entry, error);
    json_t *body = hf_audit_row_new_call(passage, "intent");
    hf_audit_row_set_request(body, passage);
    HfAuditEntry entry = {.take_body = body, .also = work, .data = passage->idempotency.entry};
    return hf_audit_append(passage->guard->audit, entry, error);
}

gboolean hf_audit_write_intent(HfPassage *passage, GError **error)
{
    passage->intended = write_intent_row(passage, error);
    if (passage->intended)
        hf_call_event_started(passage);
    return passage->intended;
}

static gboolean write_intent_meanwhile(gpointer data, GError **error)
{
    HfPassage *passage = data;
    gint64 began = g_get_monotonic_time();
    gboolean intended = hf_audit_write_intent(passage, error);
    passage->timing.meanwhile_us = g_get_monotonic_time() - began;
    passage->performed = intended;
    return intended;
}

/* The disk works while the call travels to the hand. A read-only call changes nothing: nobody may
 * see its answer before the row is on the disk. The hand holds every other call until then. */
gboolean hf_step_audit_intent(HfPassage *passage, GError **error)
{
    if (passage->tool->service || passage->idempotency.entry)
        return hf_audit_write_intent(passage, error);
    passage->errand.meanwhile = write_intent_meanwhile;
    passage->errand.meanwhile_data = passage;
    passage->errand.held = !(passage->tool->flags & HF_TOOL_READ_ONLY);
    return TRUE;
}
