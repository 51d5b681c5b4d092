/* SPDX-License-Identifier: Apache-2.0 */
/* What is known about a call on its way through the guard, and the steps of that way. Each step
 * is a file of its own; FALSE ends the passage, with an error or with the answer there already. */
#pragma once

#include "desk/guard/approvals/approvals.h"
#include "desk/guard/approvals/prepared-calls.h"
#include "desk/guard/guard.h"
#include "desk/guard/idempotency-keys.h"
#include "desk/guard/policy/policy-decision.h"
#include "desk/guard/policy/rate-limiter.h"
#include "desk/guard/policy/taint.h"
#include "desk/guard/policy/token-store.h"
#include "desk/guard/stop/desktop-turns.h"
#include "desk/guard/stop/stop-gate.h"
#include "desk/records/audit/audit.h"
#include "desk/records/events/events.h"
#include "desk/records/evidence/evidence.h"
#include "desk/records/ledger/ledger.h"
#include "desk/records/store/grant-rows.h"

struct HfGuard {
    HfPerform perform;
    gpointer data;
    HfStore *store;
    HfLiveConfig *agreement;
    HfDesktopTurns *turns;
    HfRateLimiter *paces;
    HfStopGate *gate;
    const HfGuardHands *hands; /* may be NULL */
    GMutex settle_lock;        /* guards `settling` */
    GCond settled;
    guint settling; /* stops that are still being carried out */
    HfAudit *audit;
    HfEvents *events;
    HfTaint *taint;
    struct HfLiveRules *rulebook;
    HfApprovals *approvals;    /* questions to the owner */
    HfPreparedCalls *prepared; /* actions of two phases */
    HfIdempotency *recall;
    HfEvidence *evidence;
    struct HfOperations *operations; /* calls in the background */
    HfLedger *ledger;
    struct HfTypedLines *prompts; /* what is being typed on each desktop */
    gboolean check_results;       /* test mode: every result must fit its description */
    HfTokenStore *tokens;
};

struct HfPassage {
    HfGuard *guard;
    const HfRequest *request;
    HfConfig *config; /* the agreement as it was when the call came; the same to its end */
    const HfTool *tool;
    GPtrArray *grants;    /* the grant that holds and those it stands on (HfGrantEntry), or NULL */
    const HfGrant *grant; /* the first of them, which lies within all others; NULL: no bounds */
    const char *grant_id;
    const char *desktop;
    json_t *params;      /* checked and completed */
    HfNeeds needs;       /* the tool's; of a macro the most that a step of it needs */
    struct HfFlow *flow; /* its steps; NULL: it has none */
    HfRisk risk;         /* the tool's own, or higher where rules say so */
    json_t *rules; /* array of {id, message, risk} of the rules that matched; never NULL after */
    gboolean ask_always;       /* one of them wants a person's answer each time, never remembered */
    HfStopGatePass *pass;      /* while it is registered with the gate */
    GCancellable *cancellable; /* the gate's: cancelled with the request and by a stop */
    HfDeadline deadline;
    gboolean sets_off; /* to be done in the background: this passage ends when that is begun */
    gboolean dry_run;  /* everything is asked, nothing is done */
    HfErrand errand;   /* what the hand is asked for */
    gboolean
        performed; /* it was sent to the hand, and not called off as it could not be written down */
    HfRun *run;    /* whose evidence is kept; NULL: none is, or not yet */
    char *known_picture; /* of that run, named in the errand */
    char *evidence_hash; /* of the line about this call, kept now or when its run fails; or NULL */
    char *evidence_problem;
    HfEffects effects;       /* the tool's, and what rules found besides */
    gboolean tainted;        /* its run has read text of others: see taint.c */
    HfReads carried;         /* what the answers to calls within it carried */
    HfDecision decision;     /* what the policy says of it, and by what */
    json_t *expect;          /* what must still be so when an approved call is done; may be NULL */
    HfDesktopTurn *turn;     /* while it is ours */
    gboolean intended;       /* the intent is in the audit */
    HfStoreWork recall_work; /* what is to be written of it with the call's last row */
    HfIdempotencyEntry *recall; /* its key, while it is being done; NULL: it has none */
    gint64 perform_us;          /* how long the hand was waited for */
    gint64 meanwhile_us; /* how long the desk did something of its own while the hand worked */
    struct HfTypedLine *ahead; /* the line as steps before it would leave it; NULL: as it is */
    char *line;           /* what a shell would run, if that is dangerous: the owner's to see */
    guint64 line_changes; /* of what was typed before, when it was weighed */
    gboolean by_desktop;  /* an undo of anybody's change there */
    HfAnswer *answer;
};

gboolean hf_step_identify(HfPassage *passage, GError **error);
gboolean hf_step_not_stopped(HfPassage *passage, GError **error);
gboolean hf_step_well_formed(HfPassage *passage, GError **error);
gboolean hf_step_recall(HfPassage *passage, GError **error);
gboolean hf_step_know_taint(HfPassage *passage, GError **error);
gboolean hf_step_allowed(HfPassage *passage, GError **error);
gboolean hf_step_within_grant(HfPassage *passage, GError **error);
gboolean hf_step_weigh(HfPassage *passage, GError **error);
gboolean hf_step_weigh_steps(HfPassage *passage, GError **error);
gboolean hf_step_judge(HfPassage *passage, GError **error);
gboolean hf_step_set_off(HfPassage *passage, GError **error);
gboolean hf_step_approve(HfPassage *passage, GError **error);
/* Asks the owner, whatever the policy says: a password field would be written into. */
gboolean hf_approve_secure(HfPassage *passage, GError **error);
gboolean hf_step_limit_time(HfPassage *passage, GError **error);
gboolean hf_step_pace(HfPassage *passage, GError **error);
gboolean hf_step_await_quiet(HfPassage *passage, GError **error);
gboolean hf_step_take_turn(HfPassage *passage, GError **error);
gboolean hf_step_still_not_stopped(HfPassage *passage, GError **error);
gboolean hf_step_same_line(HfPassage *passage, GError **error);
gboolean hf_step_audit_before(HfPassage *passage, GError **error);
gboolean hf_step_evidence_before(HfPassage *passage, GError **error);
gboolean hf_step_perform(HfPassage *passage, GError **error);
gboolean hf_step_preview(HfPassage *passage, GError **error);
void hf_step_taint(HfPassage *passage);
void hf_step_note_typed(HfPassage *passage);
void hf_step_leave_turn(HfPassage *passage);
void hf_step_leave_gate(HfPassage *passage);
void hf_step_evidence_after(HfPassage *passage);
void hf_step_audit_after(HfPassage *passage);
void hf_step_remember(HfPassage *passage);

/* Frees what is known of it, but the answer. */
void hf_passage_clear(HfPassage *passage);
