/* SPDX-License-Identifier: Apache-2.0 */
/* The path of every call, as one table of steps. Nothing reaches a hand except through here. To
 * change what a call must pass, change a step, or add a row and its file in guard/steps/. Calls,
 * dry runs, pictures of live views and the forecast of a flow's steps all run this table. `make
 * reference` writes it into docs/architecture.md. */
#include "desk/guard/guard.h"

#include <string.h>

#include "desk/guard/background/operations.h"
#include "desk/guard/flow/flow.h"
#include "desk/guard/passage.h"
#include "desk/guard/policy/live-rules.h"
#include "desk/guard/policy/typed-lines.h"
#include "desk/guard/steps/steps.h"
#include "desk/guard/stop/stop-control.h"
#include "desk/records/audit/refusal-counter.h"
#include "desk/records/evidence/run.h"
#include "desk/records/records-limits.h"
#include "desk/records/store/key-values.h"
#include "shared/base/error.h"
#include "shared/base/i18n.h"
#include "shared/base/limits.h"
#include "shared/text/text.h"

/* The tool and the run are not checked yet, and both go into the audit: their length is bounded. */
static HfAnswer *new_answer_to(const HfRequest *request)
{
    g_autofree char *tool = hf_text_shorten(request->tool, HF_LIMIT_NAME_BYTES);
    const char *run_id = hf_json_string(request->params, "run_id", NULL);
    gboolean fits = run_id && *run_id && strlen(run_id) <= HF_LIMIT_NAME_BYTES;
    if (!request->operation)
        return hf_answer_new(tool, fits ? run_id : request->caller->run_id);
    HfAnswer *answer = hf_answer_new(tool, hf_operation_get_run(request->operation));
    g_free(answer->step_id); /* the caller already knows this id */
    answer->step_id = g_strdup(hf_operation_get_step(request->operation));
    return answer;
}

/* Short names for the column that says which passages run a step. */
enum {
    CALL = HF_PASSAGE_CALL,
    DRY_RUN = HF_PASSAGE_DRY_RUN,
    LOOK = HF_PASSAGE_LOOK,
    FORECAST = HF_PASSAGE_FORECAST,
    BACKGROUND = HF_PASSAGE_BACKGROUND,
};

/* The steps, in this order. Each has its file in guard/steps/. */
static const HfGuardStep step_table[] = {
    {"identify", "Who is calling, and does that user own the desk?", CALL | DRY_RUN | LOOK,
     .run = hf_step_identify},
    {"stop-check", "Has anyone stopped, paused or aborted this work?", CALL | DRY_RUN | LOOK,
     .run = hf_step_stop_check},
    {"validate", "Does the tool exist, and do the parameters fit it?",
     CALL | DRY_RUN | LOOK | FORECAST, .run = hf_step_validate},
    {"idempotency", "Was this call done before?", CALL, .run = hf_step_idempotency},
    {"permission", "May this caller use this tool?", CALL | DRY_RUN | LOOK | FORECAST,
     .run = hf_step_permission},
    {"taint-check", "Has its caller or run read text that others wrote?", CALL | DRY_RUN | LOOK,
     .run = hf_step_taint_check},
    {"risk", "How dangerous is it, does a rule block it, and what is fenced off?",
     CALL | DRY_RUN | LOOK | FORECAST, .run = hf_step_risk},
    {"taint-files", "Would it run a file that came from elsewhere?", CALL | DRY_RUN | FORECAST,
     .run = hf_step_taint_files},
    {"launched-program", "Does it start a program that runs what it is told?",
     CALL | DRY_RUN | LOOK | FORECAST, .run = hf_step_launched_program},
    {"grant-bounds", "Is it within the bounds of its grant?", CALL | DRY_RUN | LOOK | FORECAST,
     .run = hf_step_grant_bounds},
    {"flow-risk", "May every step of a macro or workflow be done?", CALL | DRY_RUN,
     .run = hf_step_flow_risk},
    {"policy-check", "What does the owner's policy say about it?", CALL | DRY_RUN | LOOK | FORECAST,
     .run = hf_step_policy_check},
    {"background", "Does it go on in the background?", CALL, .run = hf_step_background},
    {"approval", "Does the owner agree?", CALL, .run = hf_step_approval},
    {"time-limit", "How long may it take?", CALL | DRY_RUN | LOOK, .run = hf_step_time_limit},
    {"preview", "What would it do?", DRY_RUN, .run = hf_step_preview},
    {"rate-limit", "Does it come too fast or too often?", CALL, .run = hf_step_rate_limit},
    {"takeover-wait", "Is a person using the desktop?", CALL, .run = hf_step_takeover_wait},
    {"desktop-turn", "Is the desktop free?", CALL, .run = hf_step_desktop_turn},
    {"stop-recheck", "Was it stopped, or did a person step in, while it waited?", CALL,
     .run = hf_step_stop_recheck, .repeats = {"takeover-wait", "desktop-turn"}},
    {"typed-line-recheck", "Would the enter key still run the line that was judged?", CALL,
     .run = hf_step_typed_line_recheck},
    {"audit-intent", "Is it in the audit before it happens?", CALL, .run = hf_step_audit_intent},
    {"evidence-before", "What should the evidence of its run show?", CALL,
     .run = hf_step_evidence_before},
    {"perform", "Does the hand do it?", CALL | LOOK, .run = hf_step_perform,
     .repeats = {"approval", "time-limit", "desktop-turn", "stop-recheck"}},

    {"suggest-help", "Where are the parameters of the tool explained?", CALL | DRY_RUN,
     .run_after = hf_step_suggest_help},
    {"typed-line-record", "What stands at the prompt now?", CALL | DRY_RUN,
     .run_after = hf_step_typed_line_record},
    {"turn-release", "Who is next on the desktop?", CALL | DRY_RUN | LOOK,
     .run_after = hf_step_turn_release},
    {"stop-unregister", "Was it called off before it ended?", CALL | DRY_RUN | LOOK | BACKGROUND,
     .run_after = hf_step_stop_unregister},
    {"taint-record", "Does its answer carry text that others wrote?", CALL | DRY_RUN,
     .run_after = hf_step_taint_record},
    {"refusal-count", "Is it one of many equal refusals?", CALL | DRY_RUN,
     .run_after = hf_step_refusal_count},
    {"evidence-after", "What evidence does its run keep?", CALL | DRY_RUN,
     .run_after = hf_step_evidence_after},
    {"audit-result", "How did it end?", CALL | DRY_RUN, .run_after = hf_step_audit_result},
    {"finish-event", "Who listens for its end?", CALL | DRY_RUN, .run_after = hf_step_finish_event},
    {"idempotency-record", "What does the same call get when it comes again?", CALL | DRY_RUN,
     .run_after = hf_step_idempotency_record},
    {"timing", "What did the guard itself cost, for the benchmark?", CALL | DRY_RUN,
     .run_after = hf_step_timing},
};

static const HfGuardStep *find_step_row(const char *name)
{
    for (gsize i = 0; i < G_N_ELEMENTS(step_table); i++)
        if (g_str_equal(step_table[i].name, name))
            return &step_table[i];
    g_assert_not_reached(); /* tests/house reads the table */
}

/* A step that fails stays in `passage->step`, also when another step has repeated it. */
static gboolean run_step_row(HfPassage *passage, const HfGuardStep *row, GError **error)
{
    const HfGuardStep *outer = passage->step;
    passage->step = row;
    if (!row->run(passage, error))
        return FALSE;
    passage->step = outer;
    return TRUE;
}

/* Whether a call is a dry run is known after `validate`; no earlier row depends on it. */
static HfPassageKind passage_kind_now(const HfPassage *passage)
{
    if (passage->answer->operation)
        return HF_PASSAGE_BACKGROUND;
    return passage->kind == HF_PASSAGE_CALL && passage->dry_run ? HF_PASSAGE_DRY_RUN
                                                                : passage->kind;
}

gboolean hf_guard_run_steps(HfPassage *passage, GError **error)
{
    for (gsize i = 0; i < G_N_ELEMENTS(step_table); i++) {
        const HfGuardStep *row = &step_table[i];
        if (row->run && (row->passed_by & passage_kind_now(passage)) &&
            !run_step_row(passage, row, error))
            return FALSE;
    }
    return TRUE;
}

gboolean hf_guard_repeat_steps(HfPassage *passage, GError **error)
{
    for (const char *const *name = passage->step->repeats; *name; name++)
        if (!run_step_row(passage, find_step_row(*name), error))
            return FALSE;
    return TRUE;
}

/* A call that was handed to the background leaves most of these steps to the call there. */
static void run_steps_afterwards(HfPassage *passage)
{
    for (gsize i = 0; i < G_N_ELEMENTS(step_table); i++) {
        const HfGuardStep *row = &step_table[i];
        if (row->run_after && (row->passed_by & passage_kind_now(passage)))
            row->run_after(passage);
    }
}

static HfAnswer *run_whole_table(HfPassage *passage)
{
    HfGuard *guard = passage->guard;
    passage->answer = new_answer_to(passage->request);
    gboolean passed = hf_guard_run_steps(passage, &passage->answer->error);
    if (!passed && passage->kind == HF_PASSAGE_CALL)
        g_atomic_int_inc(&guard->ended[passage->step - step_table]);
    run_steps_afterwards(passage);
    g_assert(passed || passage->answer->error || passage->answer->result);
    hf_passage_clear(passage);
    return passage->answer;
}

HfAnswer *hf_guard_call(HfGuard *guard, const HfRequest *request)
{
    HfPassage passage = {.guard = guard, .request = request, .kind = HF_PASSAGE_CALL};
    return run_whole_table(&passage);
}

HfAnswer *hf_guard_look(HfGuard *guard, const HfRequest *request, const char *view, guint frame)
{
    HfPassage passage = {.guard = guard, .request = request, .kind = HF_PASSAGE_LOOK};
    passage.errand.view = view;
    passage.errand.frame = frame;
    return run_whole_table(&passage);
}

const char *hf_guard_get_step(HfGuard *guard, guint index, guint *ret_ended)
{
    if (index >= G_N_ELEMENTS(step_table) || !step_table[index].run)
        return NULL;
    *ret_ended = (guint)g_atomic_int_get(&guard->ended[index]);
    return step_table[index].name;
}

#define ACCEPTED_CONFIG "config.accepted"

/* What the next desk compares the files with. If it cannot be written, that desk compares with
 * something older. */
static void store_accepted_config(HfGuard *guard)
{
    g_autoptr(json_t) accepted = hf_live_config_dup_accepted(guard->live_config);
    hf_key_value_set(guard->store, ACCEPTED_CONFIG, accepted, NULL);
}

/* In the audit, as an event, and on the desktops that a person uses. */
static void announce_held_config(HfGuard *guard, const json_t *held)
{
    json_t *fields = json_array();
    g_autoptr(GString) names = g_string_new(NULL);
    hf_json_each (change, held) {
        const char *field = hf_json_string(change, "field", "?");
        json_array_append_new(fields, hf_json_text(field));
        g_string_append_printf(names, "%s%s", names->len ? ", " : "", field);
    }
    g_autofree char *body = g_strdup_printf(
        _("%s. Nothing of it holds before you accept it: handfast config accept"), names->str);
    hf_audit_event(guard->audit, "config-held", NULL, json_pack("{s:o}", "fields", fields));
    if (guard->hands && guard->hands->notify)
        guard->hands->notify(_("A change of config.json would allow more"), body, guard->data);
}

/* The audit records each change of the configuration, and each file that could not be used. */
static void audit_config_change(const HfConfigNews *news, gpointer data)
{
    HfGuard *guard = data;
    json_t *about = json_pack("{s:b, s:s}", "ok", news->problem == NULL, "policy_hash",
                              hf_config_get_hash(news->config));
    if (news->problem)
        json_object_set_new(about, "error", hf_error_to_json(news->problem));
    hf_audit_event(guard->audit, "config", NULL, about);
    hf_stop_control_configure(guard, news->config);
    hf_audit_configure(guard->audit, news->config);
    store_accepted_config(guard);
    if (news->held)
        announce_held_config(guard, news->held);
}

json_t *hf_guard_read_accepted_config(HfStore *store, GError **error)
{
    return hf_key_value_get(store, ACCEPTED_CONFIG, error);
}

static void follow_config(HfGuard *guard)
{
    hf_live_config_follow(guard->live_config, audit_config_change, guard);
    store_accepted_config(guard);
    g_autoptr(json_t) waits = hf_live_config_describe_held(guard->live_config);
    const json_t *held = json_object_get(waits, "held");
    if (json_array_size(held) > 0)
        announce_held_config(guard, held);
}

static void prune_old_approvals(HfConfig *config, gpointer data)
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
    guard->ended = g_new0(guint, G_N_ELEMENTS(step_table));
    guard->perform = parts->perform;
    guard->data = parts->data;
    guard->store = parts->store;
    guard->live_config = parts->live_config;
    guard->turns = hf_desktop_turns_new();
    guard->rate_limiter = hf_rate_limiter_new(guard->store, NULL);
    guard->gate = g_steal_pointer(&gate);
    guard->hands = parts->hands;
    g_mutex_init(&guard->stops_lock);
    g_cond_init(&guard->stops_done);
    guard->audit = audit;
    guard->refusals = hf_refusal_counter_new(audit, HF_LIMIT_REFUSALS_MS);
    guard->events = hf_events_new();
    if (parts->check_contract)
        hf_events_check_schema(guard->events);
    hf_audit_set_events(audit, guard->events);
    guard->taint = hf_taint_new(parts->store, NULL);
    guard->idempotency = hf_idempotency_new(parts->store);
    g_autoptr(HfConfig) config = hf_live_config_get(guard->live_config);
    guard->live_rules = hf_live_rules_new(config, error);
    g_autofree char *runs = g_build_filename(parts->data_dir, "runs", NULL);
    guard->evidence = hf_evidence_new(runs, guard->live_config);
    guard->ledger = hf_ledger_new();
    g_autofree char *operations = g_build_filename(parts->data_dir, "operations", NULL);
    guard->operations = hf_operations_new(guard, operations);
    guard->typed_lines = hf_typed_lines_new();
    guard->tainted_files = guard->live_rules ? hf_tainted_files_new(parts->store, error) : NULL;
    guard->tokens = guard->tainted_files ? hf_token_store_new(parts->store, error) : NULL;
    guard->check_results = parts->check_contract;
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
    follow_config(guard);
    hf_evidence_set_housekeeping(guard->evidence, prune_old_approvals, guard->approvals);
    return guard;
}

void hf_guard_free(HfGuard *guard)
{
    if (!guard)
        return;
    hf_operations_finish(guard->operations);
    hf_live_config_unfollow(guard->live_config);
    hf_guard_await_stops(guard);
    hf_stop_gate_free(guard->gate);
    g_mutex_clear(&guard->stops_lock);
    g_cond_clear(&guard->stops_done);
    hf_desktop_turns_free(guard->turns);
    hf_rate_limiter_free(guard->rate_limiter);
    hf_taint_free(guard->taint);
    hf_tainted_files_free(guard->tainted_files);
    hf_live_rules_free(guard->live_rules);
    hf_evidence_free(guard->evidence); /* its thread uses what is freed next */
    hf_approvals_free(guard->approvals);
    hf_prepared_calls_free(guard->prepared);
    hf_idempotency_free(guard->idempotency);
    hf_ledger_free(guard->ledger);
    hf_typed_lines_free(guard->typed_lines);
    hf_token_store_free(guard->tokens);
    hf_operations_free(guard->operations);
    hf_refusal_counter_free(guard->refusals);
    hf_audit_close(guard->audit);
    hf_events_free(guard->events);
    g_free(guard->ended);
    g_free(guard);
}

HfApprovals *hf_guard_get_approvals(HfGuard *guard)
{
    return guard->approvals;
}

HfLiveConfig *hf_guard_get_live_config(HfGuard *guard)
{
    return guard->live_config;
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

void hf_guard_audit_refusal(HfGuard *guard, const char *door, const GError *reason)
{
    if (!hf_refusal_counter_note(guard->refusals, NULL, door, hf_error_code(reason)))
        return;
    hf_audit_event(guard->audit, "refused", NULL,
                   json_pack("{s:s, s:o}", "door", door, "error", hf_error_to_json(reason)));
}

void hf_guard_audit_admin(HfGuard *guard, const char *event, const HfCaller *caller,
                          const json_t *what, const GError *error)
{
    if (error && !hf_refusal_counter_note(guard->refusals, caller, event, hf_error_code(error)))
        return;
    json_t *data = json_pack("{s:b}", "ok", error == NULL);
    if (error)
        json_object_set_new(data, "error", hf_error_to_json(error));
    else
        json_object_set(data, "what", (json_t *)what);
    hf_audit_event(guard->audit, event, caller, data);
}

gboolean hf_passage_names_run(const HfPassage *passage)
{
    const char *given = hf_json_string(passage->request->params, "run_id", NULL);
    return given && g_str_equal(given, passage->answer->run_id);
}

HfTaintScope hf_passage_taint_scope(const HfPassage *passage)
{
    return (HfTaintScope){
        .caller = passage->request->caller,
        .desktop = passage->desktop,
        .run_id = hf_passage_names_run(passage) ? passage->answer->run_id : NULL,
        .keep_ms = hf_taint_keep_ms(passage->config),
    };
}

json_t *hf_passage_describe_taint(const HfPassage *passage)
{
    if (passage->judgement.tainted_file)
        return json_incref(passage->judgement.tainted_file);
    return passage->judgement.taint.reads
               ? hf_taint_describe(&passage->judgement.taint, passage->request->caller)
               : NULL;
}

void hf_passage_clear(HfPassage *passage)
{
    json_decref(passage->judgement.tainted_file);
    hf_flow_free(passage->flow);
    json_decref(passage->params);
    json_decref(passage->judgement.rules);
    hf_decision_clear(&passage->judgement.decision);
    json_decref(passage->expect);
    json_decref(passage->inspected);
    hf_config_unref(passage->config);
    g_clear_pointer(&passage->grant.chain, g_ptr_array_unref);
    hf_result_free(passage->errand.ret_witness);
    json_decref(passage->errand.ret_effect);
    g_free(passage->errand.fence);
    json_decref(passage->errand.walls);
    g_free(passage->errand.inspected_sha256);
    hf_run_unref(passage->evidence.run);
    g_free(passage->evidence.known_picture);
    g_free(passage->typed.line);
    g_free(passage->evidence.hash);
    g_free(passage->evidence.problem);
}
