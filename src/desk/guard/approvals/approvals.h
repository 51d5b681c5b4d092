/* SPDX-License-Identifier: Apache-2.0 */
/* Questions to the owner. A call that needs an answer waits here, on its own thread and holding
 * nothing that others need, until it is approved, denied, called off or too late. Questions are
 * written down before anybody is asked, and an answer before anything follows from it; what a crash
 * leaves open is cancelled at the next start. */
#pragma once

#include <gio/gio.h>

#include "desk/guard/policy/caller.h"
#include "desk/records/audit/audit.h"
#include "desk/records/store/store.h"

typedef struct HfApprovals HfApprovals;

/* For whoever can reach the owner. */
typedef enum HfApprovalNotice {
    HF_APPROVAL_NOTICE_OPENED, /* a question, as hf_approvals_list shows it */
    HF_APPROVAL_NOTICE_CLOSED, /* the same one is not open any more */
    HF_APPROVAL_NOTICE_INFO, /* nothing is asked: a call of which the owner wants to hear goes on */
} HfApprovalNotice;

/* On any thread; must not block for long. */
typedef void (*HfApprovalNoticeFunc)(HfApprovalNotice news, const json_t *approval, gpointer data);

/* Pictures are kept in `directory`, which is made when it is needed. */
HfApprovals *hf_approvals_new(HfStore *store, HfAudit *audit, const char *directory,
                              GError **error);
/* Forgets what was answered long ago; does nothing when that was done within a day. Any thread. */
void hf_approvals_prune(HfApprovals *approvals, int keep_days);
void hf_approvals_free(HfApprovals *approvals);
void hf_approvals_set_notice_func(HfApprovals *approvals, HfApprovalNoticeFunc told, gpointer data);

typedef struct HfApprovalQuestion {
    const HfCaller *caller;
    const json_t *call; /* by what it is remembered: {tool, project, caller, hash, pattern, risk,
                           tainted} */
    const json_t *what; /* what will be done, as the owner sees it: kept in memory only */
    const json_t *kept; /* the same without secrets: goes into the database */
    GBytes *picture;    /* a JPEG with a mark on it; may be NULL */
    gint64 timeout_ms;  /* until it is too late */
    GCancellable *cancellable;
    /* Told when it begins to wait (with the question) and when it ends (NULL). May be NULL. */
    void (*waiting)(const json_t *approval, gpointer data);
    gpointer data;
} HfApprovalQuestion;

/* Asks and waits. TRUE: approved, and used up by this. FALSE: APPROVAL_DENIED, APPROVAL_EXPIRED,
 * DESKTOP_ABORTED when it was called off, QUEUE_OVERFLOW when too many wait. The id is set as soon
 * as there is one. */
gboolean hf_approvals_ask(HfApprovals *approvals, const HfApprovalQuestion *question, char **ret_id,
                          GError **error);

/* Tells of a call that goes on without being asked about. */
void hf_approvals_notify(HfApprovals *approvals, const json_t *what);

/* How an approval is to be remembered. */
typedef struct HfRemember {
    const char *scope; /* "call", "tool", "project", "pattern"; NULL: not at all */
    gint64 for_s;      /* 0: until it is forgotten */
} HfRemember;

/* The owner's answer; the caller was checked before. `by` says who and how: "owner at /dev/pts/3",
 * "notification on main". CONFLICT when it was answered already. */
gboolean hf_approvals_approve(HfApprovals *approvals, const char *id, const char *by,
                              const HfRemember *remember, GError **error);
gboolean hf_approvals_deny(HfApprovals *approvals, const char *id, const char *by,
                           const char *reason, GError **error);
/* The requester takes its own question back. FORBIDDEN for anyone else's. */
gboolean hf_approvals_cancel(HfApprovals *approvals, const char *id, const HfCaller *caller,
                             GError **error);

/* {approvals: [...]}: what is open (`all`: and what was), the latest first. With `only`, just those
 * of that caller's process. */
json_t *hf_approvals_list(HfApprovals *approvals, gboolean all, const HfCaller *only,
                          GError **error);
/* One, with what will be done in full while it is open, and the path of its picture. */
json_t *hf_approvals_show(HfApprovals *approvals, const char *id, const HfCaller *only,
                          GError **error);

/* Whether an earlier answer covers this call: its id, or NULL. */
char *hf_approvals_find_remembered(HfApprovals *approvals, const json_t *call, GError **error);
/* Remembers without being told by the owner how: for what is asked the first time only. */
gboolean hf_approvals_remember(HfApprovals *approvals, const json_t *call, const char *scope,
                               gint64 for_s, const char *by, GError **error);
json_t *hf_approvals_memory(HfApprovals *approvals, GError **error);
gboolean hf_approvals_forget(HfApprovals *approvals, const char *id, const char *by,
                             GError **error);
/* How many questions are open. */
guint hf_approvals_count(HfApprovals *approvals);
