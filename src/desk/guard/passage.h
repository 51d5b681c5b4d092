/* SPDX-License-Identifier: Apache-2.0 */
/* What is known about a call on its way through the guard. The steps of that way are in
 * desk/guard/steps/steps.h. */
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
    guint *ended; /* how many calls ended at each row of the table of steps; atomic */
};

/* What goes through the guard. Each row of the table of steps says which of these pass it. */
typedef enum HfPassageKind {
    HF_PASSAGE_CALL = 1 << 0,
    HF_PASSAGE_DRY_RUN = 1 << 1,    /* everything is asked, nothing is done */
    HF_PASSAGE_LOOK = 1 << 2,       /* the next picture of a live view */
    HF_PASSAGE_FORECAST = 1 << 3,   /* a step of a flow, judged before the flow begins */
    HF_PASSAGE_BACKGROUND = 1 << 4, /* a call that has handed over to its operation */
} HfPassageKind;

struct HfPassage {
    HfGuard *guard;
    const HfRequest *request;
    HfPassageKind kind;             /* as it came in: CALL, LOOK or FORECAST */
    const struct HfGuardStep *step; /* the row that runs, or at which it ended; NULL: passed all */
    HfConfig *config; /* the agreement as it was when the call came; the same to its end */
    HfAnswer *answer;

    /* What is to be done. */
    const HfTool *tool;
    const char *desktop;
    json_t *params;        /* checked and completed */
    HfNeeds needs;         /* the tool's; of a macro the most that a step of it needs */
    struct HfFlow *flow;   /* its steps; NULL: it has none */
    gboolean sets_off;     /* in the background: this passage ends when that is begun */
    gboolean dry_run;      /* the caller asked for one: HF_PASSAGE_DRY_RUN */
    gboolean secure_field; /* the hand stands before a password field: the owner must be asked */
    gboolean by_desktop;   /* an undo of anybody's change there */

    struct {
        GPtrArray *chain; /* the grant that holds and those it stands on (HfGrantEntry), or NULL */
        const HfGrant *first; /* of them, which lies within all others; NULL: no bounds */
        const char *id;
    } grant;

    struct {
        HfRisk risk;         /* the tool's own, or higher where rules say so */
        json_t *rules;       /* {id, message, risk} of those that matched; not NULL after `risk` */
        gboolean ask_always; /* one of them wants a person's answer each time */
        HfEffects effects;   /* the tool's, and what rules found besides */
        gboolean tainted;    /* its run has read text that others wrote: taint.h */
        HfDecision decision; /* what the policy says of it, and by what */
    } judgement;

    /* Waiting. */
    HfStopGatePass *pass;      /* while it is registered with the gate */
    GCancellable *cancellable; /* the gate's: cancelled with the request and by a stop */
    HfDeadline deadline;
    HfDesktopTurn *turn; /* while the desktop is this call's */

    /* Doing it. */
    HfErrand errand;    /* what the hand is asked for */
    json_t *expect;     /* what must still be so when an approved call is done; may be NULL */
    gboolean intended;  /* the intent is in the audit */
    gboolean performed; /* sent to the hand, and not called off because it could not be audited */
    HfReads carried;    /* what the answers to calls within it carried */

    struct {
        struct HfTypedLine *ahead; /* as steps before it would leave it; NULL: as it is */
        char *line;      /* what a shell would run, if that is dangerous: the owner's to see */
        guint64 changes; /* of what was typed before, when it was judged */
    } typed;

    struct {
        HfRun *run;          /* whose evidence is kept; NULL: none is, or not yet */
        char *known_picture; /* of that run, named in the errand */
        char *hash; /* of the line about this call, kept now or when its run fails; or NULL */
        char *problem;
    } evidence;

    struct {
        HfIdempotencyEntry
            *entry;       /* the call's idempotency key, while it is done; NULL: it has none */
        HfStoreWork work; /* what is to be written of it with the call's last row */
    } recall;

    struct {
        gint64 perform_us;   /* how long the hand was waited for */
        gint64 meanwhile_us; /* how long the desk did something while the hand worked */
    } timing;
};

/* Whether the caller itself gave the run its name. */
gboolean hf_passage_names_run(const HfPassage *passage);
/* Frees what is known of it, but the answer. */
void hf_passage_clear(HfPassage *passage);
