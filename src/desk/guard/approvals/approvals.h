/* SPDX-License-Identifier: Apache-2.0 */
/* Questions to the owner. Who does what, from the policy to the answer:
 *
 * - desk/guard/policy/policy-decision.h decides from the policy whether the owner must be asked.
 * - desk/guard/steps/approval.c asks, and checks afterwards that the target is still the same.
 * - This file keeps open questions. The call itself waits here, so a fresh answer can only run that
 *   call; no hash is needed for it.
 * - desk/guard/approvals/approval-binding.h makes the hash of a call. It binds remembered answers
 * and prepared calls to the same tool, parameters, desktop, caller and script.
 * - desk/guard/approvals/prepared-calls.h keeps the tokens of calls in two phases (prepare,
 * confirm).
 * - desk/records/store/approval-rows.h has the tables; desk/desktops/desk.c shows the questions.
 *
 * A question is stored before anybody is asked, and an answer before it takes effect. A waiting
 * call holds nothing that others need. At the next start, what a crash left open is cancelled. */
#pragma once

#include <gio/gio.h>

#include "desk/policy/identity/caller.h"
#include "desk/records/audit/audit.h"
#include "desk/records/store/store.h"

typedef struct HfApprovals HfApprovals;

/* What the owner is shown. */
typedef enum HfApprovalNotice {
    HF_APPROVAL_NOTICE_OPENED, /* a new question, as in hf_approvals_list */
    HF_APPROVAL_NOTICE_CLOSED, /* the question is no longer open */
    HF_APPROVAL_NOTICE_INFO,   /* no question: a call that the owner wants to know about */
} HfApprovalNotice;

/* On any thread; must not block for long. */
typedef void (*HfApprovalNoticeFunc)(HfApprovalNotice notice, const json_t *approval,
                                     gpointer data);

/* Pictures are kept in `directory`, created when needed. */
HfApprovals *hf_approvals_new(HfStore *store, HfAudit *audit, const char *directory,
                              GError **error);
/* Forgets questions that were closed more than `keep_days` ago, expired answers, and pictures
 * without a question. Does nothing within a day of the last time. Any thread. */
void hf_approvals_prune(HfApprovals *approvals, int keep_days);
void hf_approvals_free(HfApprovals *approvals);
void hf_approvals_set_notice_func(HfApprovals *approvals, HfApprovalNoticeFunc notify,
                                  gpointer data);

typedef struct HfApprovalQuestion {
    const HfCaller *caller;
    const json_t *call; /* what the answer is bound to: approval-binding.h */
    const json_t *what; /* what will be done, as the owner sees it; in memory only */
    const json_t *kept; /* the same without secrets, for the database */
    GBytes *picture;    /* a JPEG with a mark on it; may be NULL */
    gint64 timeout_ms;  /* until the question expires */
    GCancellable *cancellable;
    /* Called with the question when the wait begins, with NULL when it ends. May be NULL. */
    void (*waiting)(const json_t *approval, gpointer data);
    gpointer data;
} HfApprovalQuestion;

/* Asks and waits. TRUE: approved, and the approval is used up. FALSE: APPROVAL_DENIED,
 * APPROVAL_EXPIRED, DESKTOP_ABORTED when the call was cancelled, QUEUE_OVERFLOW when too many wait.
 * The id is set in every case. */
gboolean hf_approvals_ask(HfApprovals *approvals, const HfApprovalQuestion *question, char **ret_id,
                          GError **error);

/* Informs the owner of a call that goes on without a question. */
void hf_approvals_notify(HfApprovals *approvals, const json_t *what);

/* How long an approval holds. */
typedef struct HfRemember {
    const char *scope; /* "call", "tool", "project", "pattern"; NULL: for this call only */
    gint64 for_s;      /* 0: until the owner forgets it */
} HfRemember;

/* The owner's answer; the caller has checked that it is the owner. `by` says who and how: "owner at
 * /dev/pts/3", "notification on main". CONFLICT when it was answered already. */
gboolean hf_approvals_approve(HfApprovals *approvals, const char *id, const char *by,
                              const HfRemember *remember, GError **error);
gboolean hf_approvals_deny(HfApprovals *approvals, const char *id, const char *by,
                           const char *reason, GError **error);
/* The requester withdraws its own question. FORBIDDEN for any other. */
gboolean hf_approvals_cancel(HfApprovals *approvals, const char *id, const HfCaller *caller,
                             GError **error);

/* FALSE when the disk did not take the last answer to a question: it is lost when the desk ends.
 * Only what loosens nothing counts without the disk: a denial, a withdrawal. */
gboolean hf_approvals_is_stored(HfApprovals *approvals, const char *id);

/* An array of open questions (`all`: closed ones too), the latest first. `only`: those of that
 * caller. */
json_t *hf_approvals_list(HfApprovals *approvals, gboolean all, const HfCaller *only,
                          GError **error);
/* One question with the path of its picture; while it is open, with everything that will be done.
 */
json_t *hf_approvals_show(HfApprovals *approvals, const char *id, const HfCaller *only,
                          GError **error);

/* The id of an earlier answer that covers this call, or NULL. */
char *hf_approvals_find_remembered(HfApprovals *approvals, const json_t *call, GError **error);
/* Remembers an approval on behalf of the policy: for calls that are asked about only once. */
gboolean hf_approvals_remember(HfApprovals *approvals, const json_t *call, const char *scope,
                               gint64 for_s, const char *by, GError **error);
json_t *hf_approvals_memory(HfApprovals *approvals, GError **error);
gboolean hf_approvals_forget(HfApprovals *approvals, const char *id, const char *by,
                             GError **error);

guint hf_approvals_count(HfApprovals *approvals);
