/* SPDX-License-Identifier: Apache-2.0 */
/* Does the owner agree? The policy has decided; this step lets the call pass, notifies the owner or
 * asks. The owner must get what they saw: the answer is bound to the call by its hash
 * (approval-binding.h), together with the content of the files that the call runs, which the hand
 * compares before it runs them. The target is compared again when the answer comes. perform repeats
 * this step when the target is a password field. */
#include <string.h>

#include "desk/guard/approvals/approval-binding.h"
#include "desk/guard/approvals/approvals.h"
#include "desk/guard/call-events.h"
#include "desk/guard/flow/flow.h"
#include "desk/guard/guard-limits.h"
#include "desk/guard/steps/steps.h"
#include "desk/records/audit/redact.h"
#include "shared/base/error.h"

/* A hand that hangs must not delay the question. */
#define PREVIEW_MS 10000

static const char *common_param(const HfPassage *passage, const char *name, const char *fallback)
{
    return hf_json_string(passage->request->params, name, fallback);
}

/* The call's target. Fails where the call itself would fail. */
static HfResult *look_at_target(HfPassage *passage, GError **error)
{
    HfDeadline deadline = hf_deadline_in_ms(PREVIEW_MS, passage->cancellable);
    if (passage->flow)
        return hf_flow_preview_first_target(passage, &deadline);
    if (passage->tool->service)
        return hf_preview_target(passage, error);
    HfErrand errand = {
        .tool = passage->tool,
        .params = passage->params,
        .deadline = &deadline,
        .preview = TRUE,
        .fence = passage->errand.fence,
        .walls = passage->errand.walls,
    };
    HfGuard *guard = passage->guard;
    HfResult *seen = guard->perform(guard->data, passage->desktop, &errand, error);
    hf_result_free(errand.ret_witness);
    return seen;
}

/* What the owner sees of the call. Takes the parameters. */
static json_t *describe_for_owner(const HfPassage *passage, const HfResult *seen,
                                  json_t *take_params)
{
    const HfCaller *caller = passage->request->caller;
    json_t *what = json_pack(
        "{s:s, s:s, s:s, s:o, s:s, s:O, s:s, s:s, s:i, s:o}", "tool", passage->tool->name, "title",
        passage->tool->title, "desktop", passage->desktop, "params", take_params, "risk",
        hf_risk_name(passage->judgement.risk), "rules", passage->judgement.rules, "decided_by",
        passage->judgement.decision.by, "client", caller->name ? caller->name : "unknown", "pid",
        (int)caller->pid, "program", hf_json_text(caller->program ? caller->program : ""));
    static const char *const names[] = {"project", "reason", "run_id"};
    for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
        json_t *value = json_object_get(passage->request->params, names[i]);
        if (value)
            json_object_set(what, names[i], value);
    }
    json_t *target = seen ? json_object_get(seen->json, "target") : NULL;
    if (target)
        json_object_set(what, "target", target);
    json_t *scripts = hf_approval_list_scripts(passage->inspected, FALSE);
    if (scripts)
        json_object_set_new(what, "scripts", scripts);
    if (passage->flow)
        json_object_set_new(what, "steps", hf_flow_describe(passage->flow));
    json_t *taint = hf_passage_describe_taint(passage);
    if (taint)
        json_object_set_new(what, "taint", taint);
    return what;
}

static GBytes *find_shown_picture(const HfResult *seen)
{
    for (guint i = 0; seen && i < seen->attachments->len; i++) {
        const HfAttachment *attachment = seen->attachments->pdata[i];
        if (g_str_equal(attachment->field, "image"))
            return attachment->bytes;
    }
    return NULL;
}

/* ---- two phases ---- */

static json_t *new_prepared_answer(const HfPassage *passage, const char *hash, const HfResult *seen)
{
    g_autofree char *token =
        hf_prepared_calls_add(passage->guard->prepared, hash, g_get_monotonic_time());
    gint64 expires_ms = g_get_real_time() / 1000 + HF_LIMIT_CONFIRM_MS;
    return json_pack("{s:s, s:I, s:s, s:o}", "confirm_token", token, "expires",
                     (json_int_t)expires_ms, "action",
                     hf_policy_action_name(passage->judgement.decision.action), "preview",
                     describe_for_owner(passage, seen, json_incref(passage->params)));
}

/* Answers `prepare`: nothing is done, and the call ends here. */
static gboolean end_prepared(HfPassage *passage, const char *hash, GError **error)
{
    HfResult *seen = look_at_target(passage, error);
    if (!seen)
        return FALSE;
    g_autoptr(json_t) before = seen->json;
    seen->json = new_prepared_answer(passage, hash, &(HfResult){before, seen->attachments});
    passage->answer->result = seen;
    return FALSE;
}

static gboolean demand_confirmation(HfPassage *passage, const char *hash, GError **error)
{
    g_autoptr(HfResult) seen = look_at_target(passage, error);
    if (!seen)
        return FALSE;
    hf_fail(error, HF_ERROR_DESKTOP_CONFIRM_REQUIRED,
            "%s has %s risk here and must be confirmed before it is done; nothing was done yet",
            passage->tool->name, hf_risk_name(passage->judgement.risk));
    hf_error_suggest(error, "send the same call with phase \"confirm\" and the confirm_token");
    hf_error_take_details(error, new_prepared_answer(passage, hash, seen));
    return FALSE;
}

static gboolean wants_two_phases(const HfPassage *passage)
{
    const char *from = hf_config_string(passage->config, "approval.two_phase");
    HfRisk least = strcmp(from, "high") == 0       ? HF_RISK_HIGH
                   : strcmp(from, "critical") == 0 ? HF_RISK_CRITICAL
                                                   : HF_RISK_COUNT;
    return passage->judgement.risk >= least;
}

/* FALSE: the call ends, with an error or with the answer to `prepare`. */
static gboolean pass_two_phases(HfPassage *passage, const char *hash, GError **error)
{
    const char *phase = common_param(passage, "phase", "");
    if (strcmp(phase, "prepare") == 0)
        return end_prepared(passage, hash, error);
    if (strcmp(phase, "confirm") == 0)
        return hf_prepared_calls_use(passage->guard->prepared,
                                     common_param(passage, "confirm_token", ""), hash,
                                     g_get_monotonic_time(), error);
    return !wants_two_phases(passage) || demand_confirmation(passage, hash, error);
}

/* ---- asking ---- */

static json_int_t target_window_of(const json_t *target, const char *name)
{
    return hf_json_int(json_object_get(target, name), "window_id", 0);
}

/* Whether the call still hits what the owner saw. */
static gboolean is_same_target(const json_t *shown, const json_t *now)
{
    static const char *const parts[] = {"point",   "from",  "to",     "pid",
                                        "command", "steps", "changes"};
    for (gsize i = 0; i < G_N_ELEMENTS(parts); i++) {
        json_t *before = json_object_get(shown, parts[i]), *after = json_object_get(now, parts[i]);
        if (before != after && !(before && after && json_equal(before, after)))
            return FALSE;
    }
    return target_window_of(shown, "window") == target_window_of(now, "window") &&
           target_window_of(shown, "from_window") == target_window_of(now, "from_window");
}

static HfTarget shown_target_kind(const HfPassage *passage)
{
    const HfFlow *flow = passage->flow;
    if (!flow)
        return passage->tool->target;
    return flow->shown_call < flow->calls->len
               ? ((const HfFlowStep *)flow->calls->pdata[flow->shown_call])->tool->target
               : HF_TARGET_NOTHING;
}

/* The files must still be as they were when the owner was asked. */
static json_t *expect_files_unchanged(const json_t *target)
{
    json_t *files = json_array();
    hf_json_each (change, json_object_get(target, "changes")) {
        json_t *file = json_pack("{s:O}", "path", json_object_get(change, "path"));
        json_t *hash = json_object_get(change, "before_sha256");
        if (hash)
            json_object_set(file, "sha256", hash);
        if (hash || strcmp(hf_json_string(change, "action", ""), "create") == 0)
            json_array_append(files, file);
        json_decref(file);
    }
    return json_pack("{s:o}", "files", files);
}

/* What the hand checks just before it acts. */
static json_t *new_target_expectation(const HfPassage *passage, const json_t *target)
{
    HfTarget kind = shown_target_kind(passage);
    if (kind == HF_TARGET_FILES)
        return expect_files_unchanged(target);
    const json_t *window = json_object_get(target, "window");
    json_int_t id = target_window_of(target, "window");
    if (id == 0)
        return NULL;
    if (kind == HF_TARGET_FOCUS)
        return json_pack("{s:I}", "focused", id);
    json_t *expect = json_pack("{s:{s:I}}", "window", "window_id", id);
    json_t *bounds = json_object_get(window, "bounds");
    if (bounds && (kind == HF_TARGET_POINT || kind == HF_TARGET_DRAG))
        json_object_set(json_object_get(expect, "window"), "bounds", bounds);
    return expect;
}

static gboolean check_target_unchanged(HfPassage *passage, const HfResult *shown, GError **error)
{
    g_autoptr(GError) gone = NULL;
    g_autoptr(HfResult) now = look_at_target(passage, &gone);
    const json_t *target = json_object_get(shown->json, "target");
    if (now && is_same_target(target, json_object_get(now->json, "target"))) {
        passage->expect = new_target_expectation(passage, target);
        passage->errand.expect = passage->expect;
        return TRUE;
    }
    if (gone && hf_error_code(gone) == HF_ERROR_DESKTOP_ABORTED) {
        g_propagate_error(error, g_steal_pointer(&gone));
        return FALSE;
    }
    hf_fail(error, HF_ERROR_PRECONDITION_FAILED,
            "the call was approved, but the desktop has changed since, so nothing was done: %s",
            gone ? gone->message : "the call would now hit something else");
    hf_error_suggest(error, "look at the screen and ask again");
    return FALSE;
}

typedef struct Asking {
    const HfPassage *passage;
    gboolean opened;
} Asking;

static void on_owner_asked(const json_t *approval, gpointer data)
{
    Asking *asking = data;
    const HfRequest *request = asking->passage->request;
    asking->opened = TRUE;
    if (approval)
        hf_call_event_approval_opened(asking->passage, approval);
    if (request->waiting)
        request->waiting(approval, request->waiting_data);
}

static gboolean ask_owner(HfPassage *passage, const json_t *call, GError **error)
{
    g_autoptr(HfResult) seen = look_at_target(passage, error);
    if (!seen)
        return FALSE;
    g_autoptr(json_t) what = describe_for_owner(passage, seen, json_incref(passage->params));
    if (passage->typed.line) /* typed text may be secret: shown to the owner, but not stored */
        json_object_set_new(what, "line", hf_json_text(passage->typed.line));
    json_t *scripts = hf_approval_list_scripts(passage->inspected, TRUE);
    if (scripts) /* their content is shown, but not stored either */
        json_object_set_new(what, "scripts", scripts);
    if (passage->flow)
        hf_flow_show_lines(passage->flow, json_object_get(what, "steps"));
    g_autoptr(json_t) described =
        describe_for_owner(passage, seen, hf_redact_params(passage->tool->params, passage->params));
    /* The target and the reasons of rules quote the command. */
    g_autoptr(json_t) kept = hf_redact_strings(described, passage->tool->params, passage->params);
    Asking asking = {.passage = passage};
    HfApprovalQuestion question = {
        .caller = passage->request->caller,
        .call = call,
        .what = what,
        .kept = kept,
        .picture = find_shown_picture(seen),
        .timeout_ms = hf_config_int(passage->config, "approval.timeout_s") * 1000,
        .cancellable = passage->cancellable,
        .waiting = on_owner_asked,
        .data = &asking,
    };
    HfDecision *decision = &passage->judgement.decision;
    HfApprovals *approvals = passage->guard->approvals;
    gboolean approved = hf_approvals_ask(approvals, &question, &decision->approval_id, error);
    if (asking.opened)
        hf_call_event_approval_closed(passage, *error);
    if (!approved || !check_target_unchanged(passage, seen, error))
        return FALSE;
    if (passage->flow) {
        passage->flow->approved = TRUE;
        return hf_flow_remember(passage, error);
    }
    return decision->memory != HF_MEMORY_FIRST_TIME ||
           hf_approvals_remember(approvals, call, "pattern", 0, "first_time", error);
}

/* Writing into a password field always needs the owner, whatever the policy says. */
static gboolean ask_about_secure_field(HfPassage *passage, GError **error)
{
    HfDecision asked = {
        .action = HF_POLICY_ACTION_ASK, .memory = HF_MEMORY_NEVER, .by = g_strdup("secure_field")};
    hf_decision_clear(&passage->judgement.decision);
    passage->judgement.decision = asked;
    g_clear_pointer(&passage->expect, json_decref);
    passage->errand.expect = NULL;
    g_autoptr(json_t) call = hf_approval_binding_new(passage);
    return ask_owner(passage, call, error);
}

/* Most calls pass here, and they must be quick. */
static gboolean passes_unasked(const HfPassage *passage)
{
    return passage->judgement.decision.action == HF_POLICY_ACTION_AUTO &&
           !*common_param(passage, "phase", "") && !wants_two_phases(passage);
}

gboolean hf_step_approval(HfPassage *passage, GError **error)
{
    if (passage->secure_field)
        return ask_about_secure_field(passage, error);
    if (passage->request->within && (hf_flow_check_assessed(passage, error) || *error))
        return !*error;
    if (passage->request->human || passes_unasked(passage))
        return TRUE;
    if (!hf_risk_inspect(passage, error))
        return FALSE;
    g_autoptr(json_t) call = hf_approval_binding_new(passage);
    if (!pass_two_phases(passage, hf_json_string(call, "hash", ""), error))
        return FALSE;
    if (passage->judgement.decision.action == HF_POLICY_ACTION_NOTIFY) {
        g_autoptr(json_t) kept = describe_for_owner(
            passage, NULL, hf_redact_params(passage->tool->params, passage->params));
        hf_approvals_notify(passage->guard->approvals, kept);
        hf_call_event_notice(passage);
    }
    return passage->judgement.decision.action != HF_POLICY_ACTION_ASK ||
           hf_approval_is_remembered(passage, call) || ask_owner(passage, call, error);
}
