/* SPDX-License-Identifier: Apache-2.0 */
/* The steps of the guard. Each is one row in the table of guard.c, one file in this folder and one
 * function here, all with the same name. A step answers one question about a call. TRUE: the call
 * goes on to the next step. FALSE: it ends here, with an error or with its answer. */
#pragma once

#include "desk/guard/passage.h"

#define HF_STEP_MOST_REPEATS 4

/* A row of the table. Exactly one of `run` and `run_after` is set. */
typedef struct HfGuardStep {
    const char *name;
    const char *question;
    guint passed_by; /* bits of HfPassageKind */
    gboolean (*run)(HfPassage *passage, GError **error);
    void (*run_after)(HfPassage *passage); /* runs whatever happened before */
    /* Steps that this one repeats when the call has had to wait. */
    const char *repeats[HF_STEP_MOST_REPEATS + 1];
} HfGuardStep;

/* Runs all steps for this kind of passage, in order. After FALSE, `passage->step` is the one at
 * which it ended. */
gboolean hf_guard_run_steps(HfPassage *passage, GError **error);
/* Repeats the steps that the current one lists. */
gboolean hf_guard_repeat_steps(HfPassage *passage, GError **error);

/* ---- before and while the call is done ---- */

gboolean hf_step_identify(HfPassage *passage, GError **error);
gboolean hf_step_stop_check(HfPassage *passage, GError **error);
gboolean hf_step_validate(HfPassage *passage, GError **error);
gboolean hf_step_idempotency(HfPassage *passage, GError **error);
gboolean hf_step_permission(HfPassage *passage, GError **error);
gboolean hf_step_taint_check(HfPassage *passage, GError **error);
gboolean hf_step_risk(HfPassage *passage, GError **error);
gboolean hf_step_taint_files(HfPassage *passage, GError **error);
gboolean hf_step_launched_program(HfPassage *passage, GError **error);
gboolean hf_step_grant_bounds(HfPassage *passage, GError **error);
gboolean hf_step_flow_risk(HfPassage *passage, GError **error);
gboolean hf_step_policy_check(HfPassage *passage, GError **error);
gboolean hf_step_background(HfPassage *passage, GError **error);
gboolean hf_step_approval(HfPassage *passage, GError **error);
gboolean hf_step_time_limit(HfPassage *passage, GError **error);
gboolean hf_step_preview(HfPassage *passage, GError **error);
gboolean hf_step_rate_limit(HfPassage *passage, GError **error);
gboolean hf_step_takeover_wait(HfPassage *passage, GError **error);
gboolean hf_step_desktop_turn(HfPassage *passage, GError **error);
gboolean hf_step_stop_recheck(HfPassage *passage, GError **error);
gboolean hf_step_typed_line_recheck(HfPassage *passage, GError **error);
gboolean hf_step_audit_intent(HfPassage *passage, GError **error);
gboolean hf_step_evidence_before(HfPassage *passage, GError **error);
gboolean hf_step_perform(HfPassage *passage, GError **error);

/* ---- afterwards ---- */

void hf_step_suggest_help(HfPassage *passage);
void hf_step_typed_line_record(HfPassage *passage);
void hf_step_turn_release(HfPassage *passage);
void hf_step_stop_unregister(HfPassage *passage);
void hf_step_taint_record(HfPassage *passage);
void hf_step_refusal_count(HfPassage *passage);
void hf_step_evidence_after(HfPassage *passage);
void hf_step_audit_result(HfPassage *passage);
void hf_step_finish_event(HfPassage *passage);
void hf_step_idempotency_record(HfPassage *passage);
void hf_step_timing(HfPassage *passage);

/* ---- what one step offers to another ---- */

/* permission: whether the caller and its grants have this level. */
gboolean hf_permission_check_level(const HfPassage *passage, HfLevel needed, GError **error);
/* risk: asks the hand what the call would run, and keeps that as `inspected`. */
gboolean hf_risk_inspect(HfPassage *passage, GError **error);
/* preview: {"target": {...}} and a marked picture as "image" (hand/tools/preview.h). Owned. */
HfResult *hf_preview_target(HfPassage *passage, GError **error);
/* takeover-wait: whether this call waits while a person uses the desktop. */
gboolean hf_takeover_makes_wait(const HfPassage *passage);
/* audit-intent: writes the row. */
gboolean hf_audit_write_intent(HfPassage *passage, GError **error);
/* evidence-before: the run whose evidence this call belongs to. */
HfRun *hf_evidence_ensure_run_of(const HfPassage *passage);
