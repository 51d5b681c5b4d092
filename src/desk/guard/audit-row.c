/* SPDX-License-Identifier: Apache-2.0 */
/* Fills the rows of calls. A row holds only what is known by then, redacted and bounded. */
#include "desk/guard/audit-row.h"

#include "desk/guard/steps/steps.h"
#include "desk/records/audit/redact.h"
#include "desk/records/records-limits.h"
#include "shared/base/error.h"

json_t *hf_audit_row_new_call(const HfPassage *passage, const char *kind)
{
    const HfAnswer *answer = passage->answer;
    const json_t *params = passage->request->params;
    json_t *body = hf_audit_row_new(kind, passage->request->caller);
    hf_audit_row_set_text(body, "run", answer->run_id);
    hf_audit_row_set_text(body, "step", answer->step_id);
    hf_audit_row_set_text(body, "tool", passage->tool ? passage->tool->name : answer->tool);
    hf_audit_row_set_text(body, "desktop", passage->desktop);
    hf_audit_row_set_text(body, "project", hf_json_string(params, "project", NULL));
    return body;
}

/* The risk, the rules that matched, the decision, and the hash of the configuration that held. */
static void set_row_judgement(json_t *body, const HfPassage *passage)
{
    const HfDecision *decision = &passage->judgement.decision;
    g_autoptr(json_t) ids = json_array();
    hf_json_each (rule, passage->judgement.rules)
        json_array_append_new(ids, hf_json_text(hf_json_string(rule, "id", "?")));
    if (json_array_size(ids) > 0)
        json_object_set(body, "rules", ids);
    if (passage->judgement.risk)
        json_object_set_new(body, "risk", json_string(hf_risk_name(passage->judgement.risk)));
    if (decision->action)
        json_object_set_new(body, "decision", json_string(hf_policy_action_name(decision->action)));
    hf_audit_row_set_text(body, "decided_by", decision->by);
    hf_audit_row_set_text(body, "approval", decision->approval_id);
    hf_audit_row_set_text(body, "grant", passage->grant.id);
    if (passage->config)
        json_object_set_new(body, "policy", json_string(hf_config_get_hash(passage->config)));
    if (passage->judgement.tainted)
        json_object_set_new(body, "tainted", json_true());
}

void hf_audit_row_set_request(json_t *body, const HfPassage *passage)
{
    const HfParam *table = passage->tool ? passage->tool->params : NULL;
    const json_t *given = passage->params ? passage->params : passage->request->params;
    json_object_set_new(body, "params", hf_redact_params(table, given));
    hf_audit_row_set_text(body, "reason", hf_json_string(passage->request->params, "reason", NULL));
    hf_audit_row_set_text(body, "idempotency_key",
                          hf_json_string(passage->request->params, "idempotency_key", NULL));
    set_row_judgement(body, passage);
}

static void set_row_error(json_t *body, const HfPassage *passage)
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

void hf_audit_row_set_outcome(json_t *body, const HfPassage *passage)
{
    const HfAnswer *answer = passage->answer;
    json_object_set_new(
        body, "code",
        json_string(answer->error ? hf_error_code_name(hf_error_code(answer->error)) : "OK"));
    json_object_set_new(body, "duration_us",
                        json_integer(g_get_monotonic_time() - answer->started));
    if (answer->error)
        set_row_error(body, passage);
    if (answer->error && passage->step) /* `step` in a row is the id of the call */
        json_object_set_new(body, "guard_step", json_string(passage->step->name));
    hf_audit_row_set_text(body, "evidence", passage->evidence.hash);
    hf_audit_row_set_text(body, "evidence_problem", passage->evidence.problem);
    if (answer->channel)
        json_object_set_new(body, "channel", json_string(hf_channel_name(answer->channel)));
    if (answer->replayed)
        json_object_set_new(body, "replayed", json_true());
    if (answer->result && hf_json_bool(answer->result->json, "secure", FALSE))
        json_object_set_new(body, "secure", json_true());
}

gboolean hf_audit_row_is_off(const HfPassage *passage)
{
    return passage->config && !hf_config_bool(passage->config, "audit.enabled");
}

gboolean hf_audit_write_work(const HfPassage *passage, HfStoreWork work, gpointer data,
                             GError **error)
{
    return !work || hf_store_write(passage->guard->store, work, data, error);
}
