/* SPDX-License-Identifier: Apache-2.0 */
/* Steps 9 and 11: written down before and after. A call that cannot be written down is refused; a
 * result that cannot is told to the caller, and written before anything else happens. */
#include "desk/records/audit/audit.h"

#include "desk/guard/passage.h"
#include "desk/records/audit/redact.h"
#include "desk/records/events/call-events.h"
#include "shared/base/error.h"
#include "shared/base/limits.h"
#include "shared/text/text.h"

struct HfAudit {
    HfAuditLog *log;
    gboolean off;     /* as it was told last; a call asks the agreement that holds for it */
    HfEvents *events; /* may be NULL */
};

HfAudit *hf_audit_open(HfStore *store, const char *directory, GError **error)
{
    HfAuditLog *log = hf_audit_log_open(store, directory, error);
    if (!log)
        return NULL;
    HfAudit *audit = g_new0(HfAudit, 1);
    audit->log = log;
    return audit;
}

void hf_audit_close(HfAudit *audit)
{
    if (!audit)
        return;
    hf_audit_log_close(audit->log);
    g_free(audit);
}

void hf_audit_set_events(HfAudit *audit, HfEvents *events)
{
    audit->events = events;
}

/* Only what is known goes in. */
static void set_redacted_text(json_t *body, const char *name, const char *text)
{
    if (!text)
        return;
    g_autofree char *clean = hf_redact_text(text, HF_LIMIT_AUDIT_TEXT_BYTES);
    json_object_set_new(body, name, hf_json_text(clean));
}

static void set_audit_caller(json_t *body, const HfCaller *caller)
{
    if (!caller)
        return;
    if (caller->kind)
        json_object_set_new(body, "caller_kind", json_string(hf_caller_kind_name(caller->kind)));
    json_object_set_new(body, "door", json_string(caller->door));
    json_object_set_new(body, "pid", json_integer(caller->pid));
    json_object_set_new(body, "uid", json_integer(caller->uid));
    set_redacted_text(body, "program", caller->program);
    set_redacted_text(body, "caller", caller->name ? caller->name : "unknown");
}

static json_t *new_body(const char *kind, const HfCaller *caller)
{
    json_t *body =
        json_pack("{s:s, s:I}", "kind", kind, "time", (json_int_t)(g_get_real_time() / 1000));
    set_audit_caller(body, caller);
    return body;
}

gboolean hf_audit_rotate_key(HfAudit *audit, const HfCaller *caller, GError **error)
{
    json_t *data = json_pack("{s:s, s:s, s:i}", "by", hf_caller_kind_name(caller->kind), "door",
                             caller->door, "pid", (int)caller->pid);
    return hf_audit_log_rotate_key(audit->log, data, error);
}

gboolean hf_audit_event(HfAudit *audit, const char *event, const HfCaller *caller,
                        json_t *take_data)
{
    g_autoptr(json_t) data = take_data ? take_data : json_object();
    json_t *body = new_body("event", caller), *clean = hf_redact_value(data);
    json_object_set_new(body, "event", json_string(event));
    json_object_set_new(body, "data", clean);
    if (audit->events)
        hf_call_event_audited(audit->events, event, caller, clean);
    return hf_audit_log_append(audit->log, (HfAuditEntry){.take_body = body, .keep = TRUE}, NULL);
}

void hf_audit_configure(HfAudit *audit, const HfConfig *config)
{
    gboolean off = !hf_config_bool(config, "audit.enabled");
    hf_audit_log_sign_every(audit->log, hf_config_int(config, "audit.sign_every_rows"));
    if (off != audit->off)
        hf_audit_event(audit, off ? "audit-off" : "audit-on", NULL, NULL);
    audit->off = off;
}

/* What is said of a call in each of its rows. */
static json_t *call_body(const HfPassage *passage, const char *kind)
{
    const HfAnswer *answer = passage->answer;
    const json_t *params = passage->request->params;
    json_t *body = new_body(kind, passage->request->caller);
    set_redacted_text(body, "run", answer->run_id);
    set_redacted_text(body, "step", answer->step_id);
    set_redacted_text(body, "tool", passage->tool ? passage->tool->name : answer->tool);
    set_redacted_text(body, "desktop", passage->desktop);
    set_redacted_text(body, "project", hf_json_string(params, "project", NULL));
    return body;
}

/* How dangerous it was found, what the owner's agreement says of it, and which agreement. */
static void set_audit_judgement(json_t *body, const HfPassage *passage)
{
    const HfDecision *decision = &passage->decision;
    g_autoptr(json_t) ids = json_array();
    size_t index;
    json_t *rule;
    json_array_foreach (passage->rules, index, rule)
        json_array_append_new(ids, hf_json_text(hf_json_string(rule, "id", "?")));
    if (json_array_size(ids) > 0)
        json_object_set(body, "rules", ids);
    if (passage->risk)
        json_object_set_new(body, "risk", json_string(hf_risk_name(passage->risk)));
    if (decision->action)
        json_object_set_new(body, "decision", json_string(hf_policy_action_name(decision->action)));
    set_redacted_text(body, "decided_by", decision->by);
    set_redacted_text(body, "approval", decision->approval_id);
    set_redacted_text(body, "grant", passage->grant_id);
    if (passage->config)
        json_object_set_new(body, "policy", json_string(hf_config_get_hash(passage->config)));
    if (passage->tainted)
        json_object_set_new(body, "tainted", json_true());
}

/* What was asked, as far as it may be kept. */
static void set_request(json_t *body, const HfPassage *passage)
{
    const HfParam *table = passage->tool ? passage->tool->params : NULL;
    const json_t *given = passage->params ? passage->params : passage->request->params;
    json_object_set_new(body, "params", hf_redact_params(table, given));
    set_redacted_text(body, "reason", hf_json_string(passage->request->params, "reason", NULL));
    set_redacted_text(body, "idempotency_key",
                      hf_json_string(passage->request->params, "idempotency_key", NULL));
    set_audit_judgement(body, passage);
}

static gboolean is_off(const HfPassage *passage)
{
    return passage->config && !hf_config_bool(passage->config, "audit.enabled");
}

/* Without rows: what must last besides them lasts all the same. */
static gboolean write_work(const HfPassage *passage, HfStoreWork work, gpointer data,
                           GError **error)
{
    return !work || hf_store_write(passage->guard->store, work, data, error);
}

static gboolean write_intent(HfPassage *passage, GError **error)
{
    HfStoreWork work = hf_idempotency_work_before(passage->recall);
    if (is_off(passage))
        return write_work(passage, work, passage->recall, error);
    json_t *body = call_body(passage, "intent");
    set_request(body, passage);
    HfAuditEntry entry = {.take_body = body, .also = work, .data = passage->recall};
    return hf_audit_log_append(passage->guard->audit->log, entry, error);
}

static gboolean record_intent(HfPassage *passage, GError **error)
{
    passage->intended = write_intent(passage, error);
    if (passage->intended)
        hf_call_event_started(passage);
    return passage->intended;
}

static gboolean intend_meanwhile(gpointer data, GError **error)
{
    HfPassage *passage = data;
    gint64 began = g_get_monotonic_time();
    gboolean intended = record_intent(passage, error);
    passage->meanwhile_us = g_get_monotonic_time() - began;
    passage->performed = intended;
    return intended;
}

/* The call is on its way to the hand while the disk works. A look changes nothing: it is enough
 * that nobody has seen anything before its row is on the disk. Anything else is held by the hand
 * until then. */
gboolean hf_step_audit_before(HfPassage *passage, GError **error)
{
    if (passage->tool->service || passage->recall)
        return record_intent(passage, error);
    passage->errand.meanwhile = intend_meanwhile;
    passage->errand.meanwhile_data = passage;
    passage->errand.held = !(passage->tool->flags & HF_TOOL_READ_ONLY);
    return TRUE;
}

static void set_audit_error(json_t *body, const HfPassage *passage)
{
    const HfParam *table = passage->tool ? passage->tool->params : NULL;
    const json_t *params = passage->request->params;
    g_autoptr(json_t) error = hf_error_to_json(passage->answer->error);
    g_autofree char *message = hf_redact_echo(passage->answer->error->message, table, params);
    json_object_set_new(body, "error", hf_json_text(message));
    json_t *details = json_object_get(error, "details");
    if (details)
        json_object_set_new(body, "details", hf_redact_value_echo(details, table, params));
}

static void set_audit_outcome(json_t *body, const HfPassage *passage)
{
    const HfAnswer *answer = passage->answer;
    json_object_set_new(
        body, "code",
        json_string(answer->error ? hf_error_code_name(hf_error_code(answer->error)) : "OK"));
    json_object_set_new(body, "duration_us",
                        json_integer(g_get_monotonic_time() - answer->started));
    if (answer->error)
        set_audit_error(body, passage);
    set_redacted_text(body, "evidence", passage->evidence_hash);
    set_redacted_text(body, "evidence_problem", passage->evidence_problem);
    if (answer->channel)
        json_object_set_new(body, "channel", json_string(hf_channel_name(answer->channel)));
    if (answer->replayed)
        json_object_set_new(body, "replayed", json_true());
    if (answer->result && hf_json_bool(answer->result->json, "secure", FALSE))
        json_object_set_new(body, "secure", json_true());
}

/* That it was asked for is on the disk already: a loss of power in the next moment leaves an intent
 * without a result, which says that it may have been done. What an answer promises for later, a way
 * back or that it will not be done twice, is on the disk before the answer. */
static gboolean need_not_wait(const HfPassage *passage)
{
    return passage->intended && !passage->recall_work && !hf_ledger_can_undo(passage);
}

/* What must be true together with the row. */
static gboolean write_beside(HfStoreSession *session, gpointer data, GError **error)
{
    HfPassage *passage = data;
    HfStoreWork recall = passage->recall_work;
    if (recall && !recall(session, passage->recall, error))
        return FALSE;
    hf_ledger_write(session, passage);
    return TRUE;
}

void hf_step_audit_after(HfPassage *passage)
{
    HfAnswer *answer = passage->answer;
    if (passage->errand.meanwhile) /* no hand was reached */
        record_intent(passage, NULL);
    gboolean refused = !passage->intended && answer->error && !answer->replayed;
    passage->recall_work = hf_idempotency_work_after(passage->recall, passage);
    if (is_off(passage)) {
        gboolean beside = passage->recall_work || hf_ledger_has_change(passage);
        write_work(passage, beside ? write_beside : NULL, passage, &answer->warning);
        return;
    }
    json_t *body = call_body(passage, refused ? "refusal" : "result");
    if (!passage->intended)
        set_request(body, passage);
    set_audit_outcome(body, passage);
    HfAuditEntry entry = {.take_body = body,
                          .keep = passage->intended,
                          .soon = need_not_wait(passage),
                          .also = write_beside,
                          .data = passage};
    hf_audit_log_append(passage->guard->audit->log, entry, refused ? NULL : &answer->warning);
}

void hf_guard_audit_refusal(HfGuard *guard, const char *door, const GError *reason)
{
    hf_audit_event(guard->audit, "refused", NULL,
                   json_pack("{s:s, s:o}", "door", door, "error", hf_error_to_json(reason)));
}

guint64 hf_audit_count(HfAudit *audit)
{
    return (guint64)hf_audit_log_count(audit->log);
}
