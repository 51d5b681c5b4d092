/* SPDX-License-Identifier: Apache-2.0 */
/* The one door to every tool. Front ends hand over a request and get an answer; there is no
 * second way. */
#pragma once

#include "desk/guard/approvals/approvals.h"
#include "desk/guard/policy/caller.h"
#include "desk/guard/policy/token-store.h"
#include "desk/policy/config/live-config.h"
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
    GCancellable *cancellable; /* cancelled when the caller takes it back or goes away */
    /* Told that it waits for the owner's answer to this question, and (NULL) that it does not any
     * more. May be NULL. */
    void (*waiting)(const json_t *approval, gpointer data);
    gpointer waiting_data;
    /* Of our own calls only, never from a door: what must still be so (hand/main/preconditions.h),
     * and the step that this call takes back. May be NULL. */
    json_t *expect;
    const char *undoes;
    /* A person does it by hand, through a live view: nobody is asked whether they agree, it does
     * not wait for them to be quiet, and what agents do steps back. Only for owners. */
    gboolean human;
    /* And the macro that this call is a step of, whose turn it uses, and how strictly the step was
     * judged before the macro began (HfPolicyAction). */
    const struct HfPassage *within;
    unsigned weighed;
    /* The one that this call is, when it goes on in the background:
     * desk/guard/background/operations.h. */
    struct HfOperation *operation;
    gboolean in_haste; /* what it brings about is looked for only when the call asks for it */
} HfRequest;

/* What stands behind the guard: does the errand in the desktop's hand. Called on the caller's
 * thread; must respect the deadline and its cancellable. */
typedef HfResult *(*HfPerform)(gpointer data, const char *desktop, HfErrand *errand,
                               GError **error);

/* What the guard stands on. The store and the agreement must outlive it. */
typedef struct HfGuardParts {
    const char *data_dir; /* of the audit's key and signed heads */
    HfStore *store;
    HfLiveConfig *agreement;
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

/* The next picture of a live view (hand/main/live-views.h) that was opened by a screenshot with the
 * same request: asked again is what may have changed since; it is not written down. */
HfAnswer *hf_guard_look(HfGuard *guard, const HfRequest *request, const char *view, guint frame);

/* Writes down that a door did not let somebody in. */
void hf_guard_audit_refusal(HfGuard *guard, const char *door, const GError *reason);
HfApprovals *hf_guard_get_approvals(HfGuard *guard);
HfLiveConfig *hf_guard_get_live_config(HfGuard *guard);
/* Everything that happens, as it happens. */
HfEvents *hf_guard_get_events(HfGuard *guard);
/* For events that are no calls. */
struct HfAudit *hf_guard_get_audit(HfGuard *guard);
HfStore *hf_guard_get_store(HfGuard *guard);
/* Calls in the background: desk/guard/background/operations.h. */
struct HfOperations *hf_guard_get_operations(HfGuard *guard);
HfTokenStore *hf_guard_get_tokens(HfGuard *guard);
/* The step at this place in the table of steps, and how many calls have ended there before they
 * were done: refused, failed, answered as before, or handed over to the background. NULL: there are
 * no more steps that can end a call. */
const char *hf_guard_get_step(HfGuard *guard, guint index, guint *ret_ended);
/* Writes down a change of who may what that came through a door, or why it was refused. */
void hf_guard_audit_admin(HfGuard *guard, const char *event, const HfCaller *caller,
                          const json_t *what, const GError *error);
