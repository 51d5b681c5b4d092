/* SPDX-License-Identifier: Apache-2.0 */
/* The guard itself, and a passage: one call on its way through the guard's steps
 * (desk/guard/steps/steps.h). Each step reads what earlier steps found out and adds its own. */
#pragma once

#include "desk/guard/approvals/approvals.h"
#include "desk/guard/approvals/prepared-calls.h"
#include "desk/guard/guard.h"
#include "desk/guard/idempotency-keys.h"
#include "desk/guard/policy/policy-decision.h"
#include "desk/guard/policy/rate-limiter.h"
#include "desk/guard/policy/taint.h"
#include "desk/guard/policy/tainted-files.h"
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
    HfLiveConfig *live_config;
    HfDesktopTurns *turns;
    HfRateLimiter *rate_limiter;
    HfStopGate *gate;
    const HfGuardHands *hands; /* may be NULL */
    GMutex stops_lock;         /* guards `stops_running` */
    GCond stops_done;
    guint stops_running; /* stops that are still being carried out */
    HfAudit *audit;
    struct HfRefusalCounter *refusals;
    HfEvents *events;
    HfTaint *taint;
    HfTaintedFiles *tainted_files;
    struct HfLiveRules *live_rules;
    HfApprovals *approvals;    /* questions to the owner */
    HfPreparedCalls *prepared; /* calls in two phases, waiting for their confirmation */
    HfIdempotency *idempotency;
    HfEvidence *evidence;
    struct HfOperations *operations; /* calls in the background */
    HfLedger *ledger;
    struct HfTypedLines *typed_lines; /* what is typed at the prompt of each desktop */
    gboolean check_results;           /* test mode: every result must fit its schema */
    HfTokenStore *tokens;
    guint *ended; /* how many calls ended at each step; atomic */
};

/* The kinds of passages. Each row of the table of steps says which of them run it. */
typedef enum HfPassageKind {
    HF_PASSAGE_CALL = 1 << 0,
    HF_PASSAGE_DRY_RUN = 1 << 1,    /* runs the checks, does nothing */
    HF_PASSAGE_LOOK = 1 << 2,       /* the next picture of a live view */
    HF_PASSAGE_FORECAST = 1 << 3,   /* a step of a flow, judged before the flow begins */
    HF_PASSAGE_BACKGROUND = 1 << 4, /* a call that goes on as an operation */
} HfPassageKind;

typedef struct HfPassage {
    HfGuard *guard;
    const HfRequest *request;
    HfPassageKind kind; /* CALL, LOOK or FORECAST */
    const struct HfGuardStep
        *step;        /* the step that runs, or at which the call ended; NULL: passed all */
    HfConfig *config; /* as it was when the call came in; does not change meanwhile */
    HfAnswer *answer;

    /* The request. */
    const HfTool *tool;
    const char *desktop;
    gboolean contained;     /* that desktop: what is done there cannot leave it */
    gboolean walls_missing; /* it should be contained, but this system does not allow it */
    json_t *params;         /* checked and completed */
    HfNeeds needs;          /* the tool's; for a flow, the most that one of its steps needs */
    struct HfFlow *flow;    /* its steps; NULL: it has none */
    gboolean to_background; /* this passage ends when the operation has begun */
    gboolean dry_run;       /* the caller asked for one: HF_PASSAGE_DRY_RUN */
    gboolean secure_field;  /* the target is a password field: the owner must be asked */
    gboolean by_desktop;    /* an undo of anybody's change on the desktop */

    struct {
        GPtrArray *chain;     /* the grant and its parents (HfGrantEntry), or NULL */
        const HfGrant *first; /* the first of them, the narrowest; NULL: no bounds */
        const char *id;
    } grant;

    struct {
        HfRisk risk;          /* the tool's, or higher where rules say so */
        json_t *rules;        /* {id, message, risk} of those that matched; set by `risk` */
        gboolean ask_always;  /* a rule demands a person's answer each time */
        HfEffects effects;    /* the tool's, and those that rules found */
        gboolean tainted;     /* its caller or run has read text that others wrote: taint.h */
        HfTaintFacts taint;   /* what, since when; no reads: only the flow that it is part of has */
        json_t *tainted_file; /* a file from elsewhere that it would run; NULL: none */
        HfDecision decision;  /* what the policy decides, and why */
    } judgement;

    /* Waiting. */
    HfStopGatePass *pass;      /* while registered with the stop gate */
    GCancellable *cancellable; /* cancelled with the request and by a stop */
    HfDeadline deadline;
    HfDesktopTurn *turn; /* while this call has the desktop */

    /* Execution. */
    HfErrand errand;     /* what the hand gets */
    json_t *inspected;   /* what it would run, as the hand says (HfTool.inspect); may be NULL */
    json_t *expect;      /* what must still hold when an approved call is done; may be NULL */
    gboolean intended;   /* the intent is in the audit */
    gboolean counted;    /* refused like many before it, so it is only counted */
    gboolean performed;  /* sent to the hand, and not withdrawn because the audit failed */
    HfReads inner_reads; /* what the answers of inner calls carried */

    struct {
        struct HfTypedLine
            *ahead;      /* the line as earlier steps would leave it; NULL: the real one */
        char *line;      /* what a shell would run, if dangerous; shown to the owner */
        guint64 changes; /* the line's change count when it was judged */
    } typed;

    struct {
        HfRun *run;          /* NULL: no evidence is kept, or not yet */
        char *known_picture; /* the run's last picture, named in the errand */
        char *hash;          /* of the call's line in the evidence; or NULL */
        char *problem;
    } evidence;

    struct {
        HfIdempotencyEntry *entry; /* its key, while under way; NULL: it has none */
        HfStoreWork work;          /* to be written with the call's last audit row */
    } idempotency;

    struct {
        gint64 perform_us;   /* waiting for the hand */
        gint64 meanwhile_us; /* desk work while the hand worked */
    } timing;
} HfPassage;

/* Whether the caller named the run, rather than the desk. */
gboolean hf_passage_names_run(const HfPassage *passage);
/* Who acts, and where, for taint. */
HfTaintScope hf_passage_taint_scope(const HfPassage *passage);
/* Why the call is held back because of text of others: {since, tool, reads | file, clear}; NULL: it
 * is not tainted. */
json_t *hf_passage_describe_taint(const HfPassage *passage);
/* Frees everything but the answer. */
void hf_passage_clear(HfPassage *passage);
