/* SPDX-License-Identifier: Apache-2.0 */
/* The path of every call, as a list. To change what is asked of a call, change a step or add one;
 * nothing reaches a hand except through here. */
#include "desk/guard/guard.h"

#include <string.h>

#include "desk/guard/background/operations.h"
#include "desk/guard/flow/flow.h"
#include "desk/guard/passage.h"
#include "desk/guard/policy/live-rules.h"
#include "desk/guard/policy/typed-lines.h"
#include "desk/guard/stop/stop-control.h"
#include "desk/records/events/call-events.h"
#include "desk/records/evidence/run.h"
#include "shared/base/error.h"
#include "shared/base/limits.h"
#include "shared/text/text.h"

/* What was not checked yet is not repeated at any length: it goes into the audit too. */
static HfAnswer *new_answer(const HfRequest *request)
{
    g_autofree char *tool = hf_text_shorten(request->tool, HF_LIMIT_NAME_BYTES);
    const char *run_id = hf_json_string(request->params, "run_id", NULL);
    gboolean fits = run_id && *run_id && strlen(run_id) <= HF_LIMIT_NAME_BYTES;
    if (!request->operation)
        return hf_answer_new(tool, fits ? run_id : request->caller->run_id);
    HfAnswer *answer = hf_answer_new(tool, hf_operation_get_run(request->operation));
    g_free(answer->step_id); /* the name that the caller has been told */
    answer->step_id = g_strdup(hf_operation_get_step(request->operation));
    return answer;
}

/* What is left of the way for a call that may be done. */
static gboolean act(HfPassage *passage, GError **error)
{
    return hf_step_pace(passage, error) &&              /* not too fast, not too often? */
           hf_step_await_quiet(passage, error) &&       /* is a person using the desktop? */
           hf_step_take_turn(passage, error) &&         /* is the desktop free? */
           hf_step_still_not_stopped(passage, error) && /* after all that waiting */
           hf_step_same_line(passage, error) &&         /* does it still end what it ended? */
           hf_step_audit_before(passage, error) && /* written down before it happens or is seen */
           hf_step_evidence_before(passage, error) && /* what to look at meanwhile */
           hf_step_perform(passage, error);           /* in the hand */
}

/* What the guard itself costs, for the benchmark. */
static void tell_timing(const HfPassage *passage)
{
    HfAnswer *answer = passage->answer;
    if (!passage->guard->check_results || answer->error || answer->dry_run)
        return;
    answer->perform_us = passage->perform_us;
    answer->guard_us = g_get_monotonic_time() - answer->started - passage->perform_us;
}

/* What every error of that code suggests, for this tool. */
static void name_tool(HfPassage *passage)
{
    GError **error = &passage->answer->error;
    if (passage->tool && *error && hf_error_code(*error) == HF_ERROR_INVALID_PARAMS &&
        !hf_error_has_suggestion(*error))
        hf_error_suggest(error, "see the tool's parameters: handfast tools %s",
                         passage->tool->name);
}

/* Whatever happened. */
static void finish(HfPassage *passage)
{
    name_tool(passage);
    hf_step_note_typed(passage); /* what stands at the prompt now */
    hf_step_leave_turn(passage);
    hf_step_leave_gate(passage);
    hf_step_taint(passage);          /* what its answer carries */
    hf_step_evidence_after(passage); /* what the run leaves to be looked at */
    hf_step_audit_after(passage);    /* written down after it */
    hf_call_event_finished(passage); /* to whoever listens */
    hf_step_remember(passage);       /* should it be asked again */
    tell_timing(passage);
}

void hf_passage_clear(HfPassage *passage)
{
    hf_flow_free(passage->flow);
    json_decref(passage->params);
    json_decref(passage->rules);
    hf_decision_clear(&passage->decision);
    json_decref(passage->expect);
    hf_config_unref(passage->config);
    g_clear_pointer(&passage->grants, g_ptr_array_unref);
    hf_result_free(passage->errand.ret_witness);
    json_decref(passage->errand.ret_effect);
    g_free(passage->errand.fence);
    json_decref(passage->errand.walls);
    g_free(passage->errand.weighed);
    hf_run_unref(passage->run);
    g_free(passage->known_picture);
    g_free(passage->line);
    g_free(passage->evidence_hash);
    g_free(passage->evidence_problem);
}

HfAnswer *hf_guard_call(HfGuard *guard, const HfRequest *request)
{
    HfPassage passage = {.guard = guard, .request = request};
    passage.answer = new_answer(request);
    GError **error = &passage.answer->error;

    gboolean passed =
        hf_step_identify(&passage, error) &&                /* who is calling? */
        hf_step_not_stopped(&passage, error) &&             /* has anyone shut the gate? */
        hf_step_well_formed(&passage, error) &&             /* is it a call that a tool can take? */
        hf_step_recall(&passage, error) &&                  /* was it done before? */
        hf_step_allowed(&passage, error) &&                 /* may this caller use this tool? */
        hf_step_know_taint(&passage, error) &&              /* has its run read text of others? */
        hf_step_weigh(&passage, error) &&                   /* how dangerous is it? */
        hf_step_within_grant(&passage, error) &&            /* within the bounds of its grant? */
        hf_step_weigh_steps(&passage, error) &&             /* and each step of a macro? */
        hf_step_judge(&passage, error) &&                   /* what does the agreement say? */
        hf_step_set_off(&passage, error) &&                 /* does it go on in the background? */
        hf_step_approve(&passage, error) &&                 /* does the owner agree? */
        hf_step_limit_time(&passage, error) &&              /* how long may it take? */
        (passage.dry_run ? hf_step_preview(&passage, error) /* only say what would happen */
                         : act(&passage, error));
    if (passage.answer->operation)
        hf_step_leave_gate(&passage); /* the rest is the background call's */
    else
        finish(&passage);

    g_assert(passed || passage.answer->error || passage.answer->result);
    hf_passage_clear(&passage);
    return passage.answer;
}

HfAnswer *hf_guard_look(HfGuard *guard, const HfRequest *request, const char *view, guint frame)
{
    HfPassage passage = {.guard = guard, .request = request};
    passage.answer = new_answer(request);
    passage.errand.view = view;
    passage.errand.frame = frame;
    GError **error = &passage.answer->error;

    gboolean passed = hf_step_identify(&passage, error) && hf_step_not_stopped(&passage, error) &&
                      hf_step_well_formed(&passage, error) && hf_step_allowed(&passage, error) &&
                      hf_step_know_taint(&passage, error) && hf_step_weigh(&passage, error) &&
                      hf_step_within_grant(&passage, error) && hf_step_judge(&passage, error) &&
                      hf_step_limit_time(&passage, error) && hf_step_perform(&passage, error);
    hf_step_leave_gate(&passage);

    g_assert(passed || passage.answer->error);
    hf_passage_clear(&passage);
    return passage.answer;
}

/* A change of the agreement is part of the story that the audit tells. */
static void on_agreement(HfConfig *config, const GError *problem, gpointer data)
{
    HfGuard *guard = data;
    json_t *told =
        json_pack("{s:b, s:s}", "ok", problem == NULL, "policy_hash", hf_config_get_hash(config));
    if (problem)
        json_object_set_new(told, "error", hf_error_to_json(problem));
    hf_audit_event(guard->audit, "config", NULL, told);
    hf_stop_control_configure(guard, config);
    hf_audit_configure(guard->audit, config);
}

static void keep_house(HfConfig *config, gpointer data)
{
    hf_approvals_prune(data, (int)hf_config_int(config, "approval.keep_days"));
}

HfGuard *hf_guard_new(const HfGuardParts *parts, GError **error)
{
    g_autoptr(HfStopGate) gate = hf_stop_gate_new(parts->store, error);
    HfAudit *audit = gate ? hf_audit_open(parts->store, parts->data_dir, error) : NULL;
    if (!audit)
        return NULL;
    HfGuard *guard = g_new0(HfGuard, 1);
    guard->perform = parts->perform;
    guard->data = parts->data;
    guard->store = parts->store;
    guard->agreement = parts->agreement;
    guard->turns = hf_desktop_turns_new();
    guard->paces = hf_rate_limiter_new(guard->store, NULL);
    guard->gate = g_steal_pointer(&gate);
    guard->hands = parts->hands;
    g_mutex_init(&guard->settle_lock);
    g_cond_init(&guard->settled);
    guard->audit = audit;
    guard->events = hf_events_new();
    hf_audit_set_events(audit, guard->events);
    guard->taint = hf_taint_new(parts->store);
    guard->recall = hf_idempotency_new(parts->store);
    g_autoptr(HfConfig) config = hf_live_config_get(guard->agreement);
    guard->rulebook = hf_live_rules_new(config, error);
    g_autofree char *runs = g_build_filename(parts->data_dir, "runs", NULL);
    guard->evidence = hf_evidence_new(runs, guard->agreement);
    guard->ledger = hf_ledger_new(parts->store);
    g_autofree char *operations = g_build_filename(parts->data_dir, "operations", NULL);
    guard->operations = hf_operations_new(guard, operations);
    guard->prompts = hf_typed_lines_new();
    guard->tokens = guard->rulebook ? hf_token_store_new(parts->store, error) : NULL;
    guard->check_results = g_getenv("HANDFAST_TEST") != NULL;
    g_autofree char *pictures = g_build_filename(parts->data_dir, "approvals", NULL);
    guard->prepared = hf_prepared_calls_new();
    guard->approvals =
        guard->tokens ? hf_approvals_new(guard->store, audit, pictures, error) : NULL;
    if (!guard->approvals) {
        hf_guard_free(guard);
        return NULL;
    }
    hf_stop_control_configure(guard, config);
    hf_audit_configure(guard->audit, config);
    hf_live_config_follow(guard->agreement, on_agreement, guard);
    hf_evidence_set_housekeeping(guard->evidence, keep_house, guard->approvals);
    return guard;
}

void hf_guard_free(HfGuard *guard)
{
    if (!guard)
        return;
    hf_operations_finish(guard->operations);
    hf_live_config_unfollow(guard->agreement);
    hf_guard_await_stops(guard);
    hf_stop_gate_free(guard->gate);
    g_mutex_clear(&guard->settle_lock);
    g_cond_clear(&guard->settled);
    hf_desktop_turns_free(guard->turns);
    hf_rate_limiter_free(guard->paces);
    hf_taint_free(guard->taint);
    hf_live_rules_free(guard->rulebook);
    hf_evidence_free(guard->evidence); /* its thread uses what follows */
    hf_approvals_free(guard->approvals);
    hf_prepared_calls_free(guard->prepared);
    hf_idempotency_free(guard->recall);
    hf_ledger_free(guard->ledger);
    hf_typed_lines_free(guard->prompts);
    hf_token_store_free(guard->tokens);
    hf_operations_free(guard->operations);
    hf_audit_close(guard->audit);
    hf_events_free(guard->events);
    g_free(guard);
}

HfApprovals *hf_guard_get_approvals(HfGuard *guard)
{
    return guard->approvals;
}

HfLiveConfig *hf_guard_get_live_config(HfGuard *guard)
{
    return guard->agreement;
}

HfEvents *hf_guard_get_events(HfGuard *guard)
{
    return guard->events;
}

HfAudit *hf_guard_get_audit(HfGuard *guard)
{
    return guard->audit;
}

HfStore *hf_guard_get_store(HfGuard *guard)
{
    return guard->store;
}

HfOperations *hf_guard_get_operations(HfGuard *guard)
{
    return guard->operations;
}

HfTokenStore *hf_guard_get_tokens(HfGuard *guard)
{
    return guard->tokens;
}
