/* SPDX-License-Identifier: Apache-2.0 */
/* The only way to every tool. Each door hands a request to hf_guard_call and gets an answer. */
#pragma once

#include "desk/guard/approvals/approvals.h"
#include "desk/guard/policy/token-store.h"
#include "desk/policy/config/live-config.h"
#include "desk/policy/identity/caller.h"
#include "desk/records/events/events.h"
#include "desk/records/store/store.h"
#include "shared/base/deadline.h"
#include "shared/tool/answer.h"
#include "shared/tool/errand.h"

typedef struct HfGuard HfGuard;
typedef struct HfGuardHands HfGuardHands; /* desk/guard/stop/stop-control.h */

typedef struct HfRequest {
    const HfCaller *caller;
    const char *tool;
    json_t *params;            /* an object, as the caller sent it */
    GCancellable *cancellable; /* cancelled when the caller withdraws or disconnects */
    /* Called with the question when the call begins to wait for the owner, and with NULL when it
     * stops waiting. May be NULL. */
    void (*waiting)(const json_t *approval, gpointer data);
    gpointer waiting_data;
    /* Set by the desk's own calls, never by a door: what must still hold
     * (hand/main/preconditions.h), and the step that this call undoes. May be NULL. */
    json_t *expect;
    const char *undoes;
    /* A person acts through a live view. The owner is not asked, the call does not wait for the
     * person to be quiet, and agents step back. Only for owners. */
    gboolean human;
    /* The flow that this call is a step of, and how strictly the step was judged before the flow
     * began (HfPolicyAction). */
    const struct HfPassage *within;
    unsigned weighed;
    const char *weighed_sha256; /* of what the step would run then; NULL: not inspected */
    /* The operation that runs this call in the background; NULL: it runs in the foreground. */
    struct HfOperation *operation;
    gboolean skip_verification; /* its effect is verified only if the call asks for that */
} HfRequest;

/* Lets the hand of a desktop do the errand. Called on the caller's thread; must respect the
 * deadline and its cancellable. */
typedef HfResult *(*HfPerform)(gpointer data, const char *desktop, HfErrand *errand,
                               GError **error);

/* What the guard works with. The store and the configuration must outlive it. */
typedef struct HfGuardParts {
    const char *data_dir; /* holds the audit's key and signed heads */
    HfStore *store;
    HfLiveConfig *live_config;
    HfPerform perform;
    gpointer data;             /* for `perform` and `hands` */
    const HfGuardHands *hands; /* may be NULL */
    gboolean check_contract;   /* for tests: every result and event must fit its description */
} HfGuardParts;

HfGuard *hf_guard_new(const HfGuardParts *parts, GError **error);
void hf_guard_free(HfGuard *guard);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfGuard, hf_guard_free)

/* Never NULL. Blocks until the call is done, refused, timed out or cancelled. */
HfAnswer *hf_guard_call(HfGuard *guard, const HfRequest *request);

/* The next picture of a live view (hand/main/live-views.h), which a screenshot with the same
 * request has opened. Asks again what may have changed since, and writes no audit row. */
HfAnswer *hf_guard_look(HfGuard *guard, const HfRequest *request, const char *view, guint frame);

/* The configuration that held when a desk last ran with this store (hf_live_config_hold); JSON
 * null: none did. Owned. */
json_t *hf_guard_read_accepted_config(HfStore *store, GError **error);

/* Audits that a door turned somebody away. */
void hf_guard_audit_refusal(HfGuard *guard, const char *door, const GError *reason);
HfApprovals *hf_guard_get_approvals(HfGuard *guard);
HfLiveConfig *hf_guard_get_live_config(HfGuard *guard);

HfEvents *hf_guard_get_events(HfGuard *guard);

struct HfAudit *hf_guard_get_audit(HfGuard *guard);
HfStore *hf_guard_get_store(HfGuard *guard);

struct HfOperations *hf_guard_get_operations(HfGuard *guard);
HfTokenStore *hf_guard_get_tokens(HfGuard *guard);
/* The name of the step in this row of the table, and how many calls ended there before they were
 * done: refused, failed, replayed, or handed to the background. NULL: no further step can end a
 * call. */
const char *hf_guard_get_step(HfGuard *guard, guint index, guint *ret_ended);
/* Audits a change of permissions or settings that came through a door, or why it was refused. */
void hf_guard_audit_admin(HfGuard *guard, const char *event, const HfCaller *caller,
                          const json_t *what, const GError *error);
