/* SPDX-License-Identifier: Apache-2.0 */
/* Asking and answering. When an answer, the deadline and a cancellation race, the database decides:
 * a question leaves the state "pending" once, and the waiting thread follows. The lock is never
 * held while writing or while waiting for a person. */
#include "desk/guard/approvals/approvals.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "desk/guard/approvals/late-answers.h"
#include "desk/guard/guard-limits.h"
#include "desk/records/store/approval-rows.h"
#include "shared/base/error.h"
#include "shared/base/id.h"
#include "shared/base/json.h"
#include "shared/base/paths.h"
#include "shared/base/waiter.h"

#define DAY_MS ((gint64)24 * 3600 * 1000)
/* A picture is written before its row, so a new one may have no row yet. */
#define NEW_MS ((gint64)3600 * 1000)

typedef enum Answer { OPEN, APPROVED, DENIED, CANCELLED } Answer;

typedef struct Pending {
    char *id;
    const HfApprovalQuestion *question; /* on the stack of the waiting thread */
    gint64 made_ms, expires_ms;
    GCond answered;
    Answer answer;
    char *reason;
    gboolean written; /* in the database: it can be answered */
} Pending;

struct HfApprovals {
    HfStore *store;
    HfAudit *audit;
    char *directory;
    HfApprovalNoticeFunc notify;
    gpointer notify_data;
    HfLateAnswers *late;
    GMutex lock;         /* guards what follows */
    GHashTable *pending; /* id → Pending; its own thread frees it */
    gint64 pruned_us;    /* when old ones were last removed; 0: never */
};

/* ---- beginning ---- */

static gboolean cancel_state(HfApprovals *approvals, const char *state, GError **error)
{
    const char *reason = "the desk ended before it was answered";
    g_autoptr(json_t) rows = hf_approval_rows_list(approvals->store, state, G_MAXINT, error);
    if (!rows)
        return FALSE;
    hf_json_each (row, rows) {
        const char *id = hf_json_string(row, "id", "");
        hf_audit_event(
            approvals->audit, "approval.cancelled", NULL,
            json_pack("{s:s, s:s, s:s}", "approval", id, "was", state, "reason", reason));
        if (!hf_approval_row_move(approvals->store, id, state, "cancelled", "desk", reason, error))
            return FALSE;
    }
    return TRUE;
}

HfApprovals *hf_approvals_new(HfStore *store, HfAudit *audit, const char *directory, GError **error)
{
    HfApprovals *approvals = g_new0(HfApprovals, 1);
    approvals->store = store;
    approvals->audit = audit;
    approvals->directory = g_strdup(directory);
    g_mutex_init(&approvals->lock);
    approvals->pending = g_hash_table_new(g_str_hash, g_str_equal);
    approvals->late = hf_late_answers_new(store);
    /* The callers went away with the earlier desk, so nobody can use an answer any more. */
    if (cancel_state(approvals, "pending", error) && cancel_state(approvals, "approved", error))
        return approvals;
    hf_approvals_free(approvals);
    return NULL;
}

/* ---- answers that the disk did not take ---- */

static gboolean is_open_question(HfApprovals *approvals, const char *id)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&approvals->lock);
    const Pending *pending = g_hash_table_lookup(approvals->pending, id);
    return pending && pending->answer == OPEN;
}

/* Closes a question in a way that loosens nothing. So it counts although the disk does not take
 * it. FALSE with CONFLICT when it was closed before. */
static gboolean close_question(HfApprovals *approvals, const char *id, const char *state,
                               const char *by, const char *reason, GError **error)
{
    g_autoptr(GError) problem = NULL;
    if (hf_approval_row_move(approvals->store, id, "pending", state, by, reason, &problem))
        return TRUE;
    if (hf_error_code(problem) == HF_ERROR_STORAGE_FAILED && is_open_question(approvals, id)) {
        hf_late_answers_keep(approvals->late, id, state, by, reason);
        return TRUE;
    }
    g_propagate_error(error, g_steal_pointer(&problem));
    return FALSE;
}

gboolean hf_approvals_is_stored(HfApprovals *approvals, const char *id)
{
    g_autofree char *state = hf_late_answers_dup_state(approvals->late, id);
    return !state;
}

/* What a row says, if the disk had taken everything. */
static void show_late_answer(HfApprovals *approvals, json_t *row)
{
    g_autofree char *state =
        hf_late_answers_dup_state(approvals->late, hf_json_string(row, "id", ""));
    if (state)
        json_object_set_new(row, "state", json_string(state));
}

/* ---- removing old ones ---- */

static gboolean is_stale_picture(HfStore *store, const char *path, const char *id, gint64 now_ms)
{
    struct stat info;
    g_autoptr(GError) problem = NULL;
    if (lstat(path, &info) != 0 || (gint64)info.st_mtime * 1000 > now_ms - NEW_MS)
        return FALSE;
    g_autoptr(json_t) row = hf_approval_row_find(store, id, &problem);
    return !row && hf_error_code(problem) == HF_ERROR_PRECONDITION_FAILED;
}

static void prune_pictures(HfStore *store, const char *directory, gint64 now_ms)
{
    g_autoptr(GDir) files = g_dir_open(directory, 0, NULL);
    const char *name;
    while (files && (name = g_dir_read_name(files))) {
        if (!g_str_has_prefix(name, "a_") || !g_str_has_suffix(name, ".jpg"))
            continue;
        g_autofree char *path = g_build_filename(directory, name, NULL);
        g_autofree char *id = g_strndup(name, strlen(name) - strlen(".jpg"));
        if (is_stale_picture(store, path, id, now_ms))
            unlink(path);
    }
}

/* Rows are deleted before their pictures: a crash in between leaves pictures, which the next
 * pruning finds. Only files that we named are touched. */
void hf_approvals_prune(HfApprovals *approvals, int keep_days)
{
    gint64 now_us = g_get_monotonic_time();
    g_mutex_lock(&approvals->lock);
    gboolean due = !approvals->pruned_us || now_us - approvals->pruned_us >=
                                                HF_LIMIT_APPROVALS_LOOK_S * (gint64)G_USEC_PER_SEC;
    if (due)
        approvals->pruned_us = now_us;
    g_mutex_unlock(&approvals->lock);
    gint64 now_ms = g_get_real_time() / 1000;
    if (due)
        hf_late_answers_store(approvals->late);
    if (due &&
        hf_approval_rows_prune(approvals->store, now_ms - keep_days * DAY_MS,
                               HF_LIMIT_APPROVALS_KEPT, NULL) &&
        hf_memory_rows_prune(approvals->store, now_ms, NULL))
        prune_pictures(approvals->store, approvals->directory, now_ms);
}

void hf_approvals_free(HfApprovals *approvals)
{
    if (!approvals)
        return;
    g_hash_table_unref(approvals->pending);
    hf_late_answers_free(approvals->late);
    g_mutex_clear(&approvals->lock);
    g_free(approvals->directory);
    g_free(approvals);
}

void hf_approvals_set_notice_func(HfApprovals *approvals, HfApprovalNoticeFunc notify,
                                  gpointer data)
{
    approvals->notify = notify;
    approvals->notify_data = data;
}

/* ---- how a question is shown ---- */

static char *dup_picture_path(const HfApprovals *approvals, const char *id)
{
    g_autofree char *name = g_strconcat(id, ".jpg", NULL);
    return g_build_filename(approvals->directory, name, NULL);
}

/* One flat object: {id, state, made_ms, expires_ms, ..., tool, desktop, params, ...}. */
static json_t *describe_approval(const HfApprovals *approvals, const json_t *row,
                                 const json_t *what)
{
    json_t *shown = json_copy((json_t *)row);
    json_object_del(shown, "what");
    json_object_del(shown, "picture");
    json_object_update_missing(shown, (json_t *)what);
    const char *id = hf_json_string(row, "id", "");
    g_autofree char *path = dup_picture_path(approvals, id);
    if (*hf_json_string(row, "picture", ""))
        json_object_set_new(shown, "picture", hf_json_text(path));
    return shown;
}

static json_t *row_of_pending(const Pending *pending)
{
    const HfApprovalQuestion *question = pending->question;
    return json_pack("{s:s, s:s, s:I, s:I, s:s, s:s, s:O, s:s}", "id", pending->id, "state",
                     "pending", "made_ms", (json_int_t)pending->made_ms, "expires_ms",
                     (json_int_t)pending->expires_ms, "hash",
                     hf_json_string(question->call, "hash", ""), "caller",
                     hf_json_string(question->call, "caller", ""), "what", question->kept,
                     "picture", question->picture ? "jpg" : "");
}

static json_t *describe_pending(const HfApprovals *approvals, const Pending *pending)
{
    g_autoptr(json_t) row = row_of_pending(pending);
    json_t *shown = describe_approval(approvals, row, pending->question->what);
    json_object_set_new(shown, "waits_for", json_string("owner"));
    json_object_set_new(shown, "how", json_sprintf("handfast approve %s", pending->id));
    return shown;
}

/* ---- asking ---- */

static gboolean is_of(const Pending *pending, const HfCaller *caller)
{
    return hf_caller_is_same(pending->question->caller, caller);
}

static gboolean register_pending(HfApprovals *approvals, Pending *pending, GError **error)
{
    GHashTableIter iter;
    gpointer value;
    guint own = 0;
    g_mutex_lock(&approvals->lock);
    guint all = g_hash_table_size(approvals->pending);
    g_hash_table_iter_init(&iter, approvals->pending);
    while (g_hash_table_iter_next(&iter, NULL, &value))
        own += is_of(value, pending->question->caller);
    gboolean fits = all < HF_LIMIT_APPROVALS && own < HF_LIMIT_CALLER_APPROVALS;
    if (fits)
        g_hash_table_insert(approvals->pending, pending->id, pending);
    g_mutex_unlock(&approvals->lock);
    return fits || hf_fail(error, HF_ERROR_QUEUE_OVERFLOW,
                           "%u calls already wait for the owner's answer, %u of them yours; wait "
                           "until some are answered",
                           all, own);
}

static void unregister_pending(HfApprovals *approvals, Pending *pending)
{
    g_mutex_lock(&approvals->lock);
    g_hash_table_remove(approvals->pending, pending->id);
    g_mutex_unlock(&approvals->lock);
    g_cond_clear(&pending->answered);
    g_free(pending->reason);
    g_free(pending->id);
}

/* A failure does no harm: the question also says in words what will be done. */
static void save_approval_picture(const HfApprovals *approvals, const Pending *pending)
{
    GBytes *picture = pending->question->picture;
    if (!picture || !hf_path_ensure_private(approvals->directory, NULL))
        return;
    gsize size;
    const char *bytes = g_bytes_get_data(picture, &size);
    g_autofree char *path = dup_picture_path(approvals, pending->id);
    g_file_set_contents_full(path, bytes, (gssize)size, G_FILE_SET_CONTENTS_CONSISTENT, 0600, NULL);
}

static gboolean write_question(HfApprovals *approvals, const Pending *pending, GError **error)
{
    g_autoptr(json_t) row = row_of_pending(pending);
    save_approval_picture(approvals, pending);
    return hf_approval_row_add(approvals->store, row, error) &&
           (hf_audit_event(approvals->audit, "approval.asked", pending->question->caller,
                           json_pack("{s:s, s:O, s:O}", "approval", pending->id, "call",
                                     pending->question->call, "what", pending->question->kept)) ||
            hf_fail(error, HF_ERROR_STORAGE_FAILED, "cannot write the audit"));
}

void hf_approvals_notify(HfApprovals *approvals, const json_t *what)
{
    if (approvals->notify)
        approvals->notify(HF_APPROVAL_NOTICE_INFO, what, approvals->notify_data);
}

static void announce_pending(const HfApprovals *approvals, const Pending *pending, gboolean open)
{
    const HfApprovalQuestion *question = pending->question;
    g_autoptr(json_t) shown = describe_pending(approvals, pending);
    if (question->waiting)
        question->waiting(open ? shown : NULL, question->data);
    if (approvals->notify)
        approvals->notify(open ? HF_APPROVAL_NOTICE_OPENED : HF_APPROVAL_NOTICE_CLOSED, shown,
                          approvals->notify_data);
}

static void wait_for_owner_answer(HfApprovals *approvals, Pending *pending)
{
    GCancellable *cancellable = pending->question->cancellable;
    gint64 until = g_get_monotonic_time() + pending->question->timeout_ms * 1000;
    HfWaiter waiter;
    hf_waiter_begin(&waiter, &approvals->lock, &pending->answered, cancellable);
    g_mutex_lock(&approvals->lock);
    while (pending->answer == OPEN && g_get_monotonic_time() < until &&
           !(cancellable && g_cancellable_is_cancelled(cancellable)))
        g_cond_wait_until(&pending->answered, &approvals->lock, until);
    g_mutex_unlock(&approvals->lock);
    hf_waiter_end(&waiter);
}

/* Closes a question that nobody answered. If an answer came first, it is about to be delivered:
 * waits for that. */
static void close_unanswered(HfApprovals *approvals, Pending *pending, gboolean called_off)
{
    g_autoptr(GError) lost = NULL;
    const char *state = called_off ? "cancelled" : "expired";
    const char *reason = called_off ? "cancelled by its caller or by a stop" : "nobody answered";
    if (close_question(approvals, pending->id, state, "desk", reason, &lost)) {
        hf_audit_event(approvals->audit, called_off ? "approval.cancelled" : "approval.expired",
                       pending->question->caller,
                       json_pack("{s:s, s:s}", "approval", pending->id, "reason", reason));
        return;
    }
    if (!g_error_matches(lost, HF_ERROR, HF_ERROR_CONFLICT))
        return;
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&approvals->lock);
    while (pending->answer == OPEN)
        g_cond_wait(&pending->answered, &approvals->lock);
}

static gboolean follow_answer(HfApprovals *approvals, const Pending *pending, gboolean called_off,
                              GError **error)
{
    const char *reason = pending->reason && *pending->reason ? pending->reason : NULL;
    if (pending->answer == APPROVED && !called_off)
        return hf_approval_row_move(approvals->store, pending->id, "approved", "consumed", NULL,
                                    NULL, error);
    if (pending->answer == APPROVED)
        hf_approval_row_move(approvals->store, pending->id, "approved", "cancelled", NULL, NULL,
                             NULL);
    if (pending->answer == DENIED)
        hf_fail(error, HF_ERROR_APPROVAL_DENIED, "the owner denied it%s%s", reason ? ": " : "",
                reason ? reason : "");
    else if (called_off || pending->answer == CANCELLED)
        hf_fail(error, HF_ERROR_DESKTOP_ABORTED,
                "the call was cancelled while it waited for the owner; nothing was done");
    else
        hf_fail(error, HF_ERROR_APPROVAL_EXPIRED, "the owner did not answer within %g s",
                (double)pending->question->timeout_ms / 1000);
    hf_error_take_details(error, json_pack("{s:s}", "approval", pending->id));
    return FALSE;
}

gboolean hf_approvals_ask(HfApprovals *approvals, const HfApprovalQuestion *question, char **ret_id,
                          GError **error)
{
    Pending pending = {.question = question, .id = hf_id_new("a")};
    pending.made_ms = g_get_real_time() / 1000;
    pending.expires_ms = pending.made_ms + question->timeout_ms;
    g_cond_init(&pending.answered);
    *ret_id = g_strdup(pending.id);
    gboolean approved = FALSE;
    if (register_pending(approvals, &pending, error) &&
        write_question(approvals, &pending, error)) {
        g_mutex_lock(&approvals->lock);
        pending.written = TRUE;
        g_mutex_unlock(&approvals->lock);
        announce_pending(approvals, &pending, TRUE);
        wait_for_owner_answer(approvals, &pending);
        gboolean called_off =
            question->cancellable && g_cancellable_is_cancelled(question->cancellable);
        if (pending.answer == OPEN)
            close_unanswered(approvals, &pending, called_off);
        announce_pending(approvals, &pending, FALSE);
        approved = follow_answer(approvals, &pending, called_off, error);
    }
    unregister_pending(approvals, &pending);
    return approved;
}

/* ---- answering ---- */

/* Hands the answer to the waiting thread. An approval is durable by then. FALSE when that thread
 * has got another answer. */
static gboolean deliver_owner_answer(HfApprovals *approvals, const char *id, Answer answer,
                                     const char *reason)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&approvals->lock);
    Pending *pending = g_hash_table_lookup(approvals->pending, id);
    if (pending && pending->answer == OPEN) {
        pending->answer = answer;
        pending->reason = g_strdup(reason);
        g_cond_broadcast(&pending->answered);
    }
    return !pending || pending->answer == answer;
}

/* What the approval is bound to; NULL when no call waits under that id. */
static json_t *dup_call(HfApprovals *approvals, const char *id)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&approvals->lock);
    const Pending *pending = g_hash_table_lookup(approvals->pending, id);
    return pending ? json_deep_copy(pending->question->call) : NULL;
}

static gboolean audit_owner_answer(HfApprovals *approvals, const char *id, const char *state,
                                   const char *by, const char *reason)
{
    g_autofree char *event = g_strconcat("approval.", state, NULL);
    return hf_audit_event(
        approvals->audit, event, NULL,
        json_pack("{s:s, s:s, s:s}", "approval", id, "by", by, "reason", reason ? reason : ""));
}

static gboolean write_approval(HfApprovals *approvals, const char *id, const char *by,
                               GError **error)
{
    hf_late_answers_store(
        approvals->late); /* the question may be closed, and its row not say so yet */
    if (!hf_approval_row_move(approvals->store, id, "pending", "approved", by, NULL, error))
        return FALSE;
    if (audit_owner_answer(approvals, id, "approved", by, NULL))
        return TRUE;
    /* An approval that is not in the audit does not count. */
    hf_approval_row_move(approvals->store, id, "approved", "cancelled", "desk", NULL, NULL);
    deliver_owner_answer(approvals, id, CANCELLED, NULL);
    return hf_fail(error, HF_ERROR_STORAGE_FAILED, "cannot write the audit");
}

gboolean hf_approvals_approve(HfApprovals *approvals, const char *id, const char *by,
                              const HfRemember *remember, GError **error)
{
    g_autoptr(json_t) call = dup_call(approvals, id);
    if (!write_approval(approvals, id, by, error))
        return FALSE;
    gboolean kept =
        !remember || !remember->scope || !call ||
        hf_approvals_remember(approvals, call, remember->scope, remember->for_s, by, error);
    if (!deliver_owner_answer(approvals, id, APPROVED, NULL) && kept)
        return hf_fail(error, HF_ERROR_CONFLICT, "the approval '%s' is already closed", id);
    return kept;
}

gboolean hf_approvals_deny(HfApprovals *approvals, const char *id, const char *by,
                           const char *reason, GError **error)
{
    if (!close_question(approvals, id, "denied", by, reason, error))
        return FALSE;
    audit_owner_answer(approvals, id, "denied", by, reason);
    deliver_owner_answer(approvals, id, DENIED, reason);
    return TRUE;
}

static gboolean check_own(HfApprovals *approvals, const char *id, const HfCaller *caller,
                          GError **error)
{
    g_mutex_lock(&approvals->lock);
    const Pending *pending = g_hash_table_lookup(approvals->pending, id);
    gboolean own = pending && is_of(pending, caller);
    g_mutex_unlock(&approvals->lock);
    return own ||
           hf_fail(error, HF_ERROR_FORBIDDEN, "the question '%s' belongs to another caller", id);
}

gboolean hf_approvals_cancel(HfApprovals *approvals, const char *id, const HfCaller *caller,
                             GError **error)
{
    const char *by = "requester", *reason = "taken back";
    if (!check_own(approvals, id, caller, error) ||
        !close_question(approvals, id, "cancelled", by, reason, error))
        return FALSE;
    audit_owner_answer(approvals, id, "cancelled", by, reason);
    deliver_owner_answer(approvals, id, CANCELLED, NULL);
    return TRUE;
}

/* ---- looking ---- */

static json_t *list_open_approvals(HfApprovals *approvals, const HfCaller *only)
{
    json_t *list = json_array();
    GHashTableIter iter;
    gpointer value;
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&approvals->lock);
    g_hash_table_iter_init(&iter, approvals->pending);
    while (g_hash_table_iter_next(&iter, NULL, &value)) {
        const Pending *pending = value;
        if (pending->written && pending->answer == OPEN && (!only || is_of(pending, only)))
            json_array_append_new(list, describe_pending(approvals, pending));
    }
    return list;
}

json_t *hf_approvals_list(HfApprovals *approvals, gboolean all, const HfCaller *only,
                          GError **error)
{
    if (!all || only)
        return list_open_approvals(approvals, only);
    hf_late_answers_store(approvals->late);
    g_autoptr(json_t) rows =
        hf_approval_rows_list(approvals->store, NULL, HF_LIMIT_APPROVALS_LISTED, error);
    if (!rows)
        return NULL;
    json_t *list = json_array();
    hf_json_each (row, rows) {
        show_late_answer(approvals, row);
        json_array_append_new(list,
                              describe_approval(approvals, row, json_object_get(row, "what")));
    }
    return list;
}

json_t *hf_approvals_show(HfApprovals *approvals, const char *id, const HfCaller *only,
                          GError **error)
{
    json_t *shown = NULL;
    if (only && !check_own(approvals, id, only, error))
        return NULL;
    g_mutex_lock(&approvals->lock);
    const Pending *pending = g_hash_table_lookup(approvals->pending, id);
    if (pending && pending->answer == OPEN)
        shown = describe_pending(approvals, pending);
    g_mutex_unlock(&approvals->lock);
    if (shown)
        return shown;
    g_autoptr(json_t) row = hf_approval_row_find(approvals->store, id, error);
    if (!row)
        return NULL;
    show_late_answer(approvals, row);
    return describe_approval(approvals, row, json_object_get(row, "what"));
}

/* ---- remembering ---- */

char *hf_approvals_find_remembered(HfApprovals *approvals, const json_t *call, GError **error)
{
    return hf_memory_row_match(approvals->store, call, g_get_real_time() / 1000, error);
}

gboolean hf_approvals_remember(HfApprovals *approvals, const json_t *call, const char *scope,
                               gint64 for_s, const char *by, GError **error)
{
    g_autoptr(json_t) row = json_copy((json_t *)call);
    g_autofree char *id = hf_id_new("m");
    gint64 now_ms = g_get_real_time() / 1000;
    json_object_set_new(row, "id", json_string(id));
    json_object_set_new(row, "made_ms", json_integer(now_ms));
    json_object_set_new(row, "expires_ms", json_integer(for_s ? now_ms + for_s * 1000 : 0));
    json_object_set_new(row, "scope", json_string(scope));
    if (g_str_equal(scope, "pattern"))
        json_object_set(row, "hash", json_object_get(row, "pattern"));
    json_object_set_new(row, "made_by", hf_json_text(by));
    return hf_memory_row_add(approvals->store, row, error) &&
           (hf_audit_event(approvals->audit, "approval.remembered", NULL, g_steal_pointer(&row)) ||
            hf_fail(error, HF_ERROR_STORAGE_FAILED, "cannot write the audit"));
}

json_t *hf_approvals_memory(HfApprovals *approvals, GError **error)
{
    return hf_memory_rows_list(approvals->store, g_get_real_time() / 1000, error);
}

gboolean hf_approvals_forget(HfApprovals *approvals, const char *id, const char *by, GError **error)
{
    if (!hf_memory_row_remove(approvals->store, id, error))
        return FALSE;
    hf_audit_event(approvals->audit, "approval.forgotten", NULL,
                   json_pack("{s:s, s:s}", "memory", id, "by", by));
    return TRUE;
}

guint hf_approvals_count(HfApprovals *approvals)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&approvals->lock);
    return g_hash_table_size(approvals->pending);
}
