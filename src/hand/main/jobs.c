/* SPDX-License-Identifier: Apache-2.0 */
/* Runs calls: checks, evidence, verification and the tool itself, in one order. Each call is
 * answered exactly once. One that is cancelled before it started is answered at once, because a
 * full queue must not look like a hand that hangs. */
#include "hand/main/jobs.h"

#include <sys/socket.h>

#include "hand/atspi/act/modal-dialog.h"
#include "hand/atspi/read/password-fields.h"
#include "hand/desktop/desktop-session.h"
#include "hand/main/evidence-capture.h"
#include "hand/main/hand-limits.h"
#include "hand/main/intended-window.h"
#include "hand/main/live-views.h"
#include "hand/main/preconditions.h"
#include "hand/safety/call-context.h"
#include "hand/safety/fence.h"
#include "hand/safety/handed-directories.h"
#include "hand/tools/preview.h"
#include "hand/verify/effect.h"
#include "shared/base/error.h"
#include "shared/tool/call.h"
#include "shared/tool/errand.h"
#include "shared/tool/registry.h"

struct HfJobs {
    HfDesktop *desktop;
    int fd;
    HfHoldTable *holds;
    GThreadPool *pool;
    GMutex lock;       /* guards the table and each job's state */
    GHashTable *table; /* id → Job; the pool's thread or its queue owns the job */
    GMutex write_lock; /* one answer at a time */
    gint captures_while_locked;
    HfLiveViews *views;
    HfObserver *observer;
    HfFence *fence; /* the last one that was sent; only the reading thread uses it; may be NULL */
    HfFence *open;  /* for calls without restrictions */
};

typedef struct Job {
    gint64 id;
    const HfTool *tool;
    json_t *params;
    HfFence *fence;
    json_t *extras; /* the rest of the errand (shared/tool/errand.h); may be NULL */
    GArray *fds;    /* the directories of its walls; open while it runs */
    int held;       /* its slot in the hold table; -1: not held */
    HfDeadline deadline;
    gboolean human; /* input of a remote person: a takeover does not cancel it */
    gboolean started, answered;
    HfBrakeKind cancelled_by;
} Job;

static void job_free(Job *job)
{
    hf_fence_unref(job->fence);
    json_decref(job->params);
    json_decref(job->extras);
    g_array_unref(job->fds);
    g_object_unref(job->deadline.cancellable);
    g_free(job);
}

static void add_answer_attachments(json_t *parts, const HfResult *result, gboolean seen,
                                   HfFrame *frame)
{
    for (guint i = 0; result && i < result->attachments->len; i++) {
        const HfAttachment *attachment = result->attachments->pdata[i];
        json_array_append_new(parts, json_pack("{s:s, s:s, s:b}", "field", attachment->field,
                                               "media_type", attachment->media_type, "seen", seen));
        g_ptr_array_add(frame->parts, g_bytes_ref(attachment->bytes));
    }
}

/* A result or an error, with evidence and effect. */
typedef struct Outcome {
    HfResult *result;
    GError *error;
    HfResult *seen; /* the evidence; NULL: not asked for */
    json_t *effect; /* NULL: not asked for, or nothing to report */
} Outcome;

static void outcome_clear(Outcome *outcome)
{
    hf_result_free(outcome->result);
    hf_result_free(outcome->seen);
    json_decref(outcome->effect);
    g_clear_error(&outcome->error);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Outcome, outcome_clear)

static gboolean send_job_answer(HfJobs *jobs, gint64 id, const Outcome *outcome,
                                GError **ret_unsent)
{
    g_autoptr(HfFrame) frame =
        hf_frame_new(json_pack("{s:s, s:I}", "type", "answer", "id", (json_int_t)id));
    json_t *parts = json_array();
    if (outcome->result)
        json_object_set(frame->json, "result", outcome->result->json);
    else
        json_object_set_new(frame->json, "error", hf_error_to_json(outcome->error));
    if (outcome->seen)
        json_object_set(frame->json, "seen", outcome->seen->json);
    if (outcome->effect)
        json_object_set(frame->json, "effect", outcome->effect);
    add_answer_attachments(parts, outcome->result, FALSE, frame);
    add_answer_attachments(parts, outcome->seen, TRUE, frame);
    json_object_set_new(frame->json, "parts", parts);
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&jobs->write_lock);
    return hf_frame_write(jobs->fd, frame, ret_unsent);
}

/* Sends an error instead of a result that is too large for the wire: silence would look like a
 * hang. */
static void answer_job(HfJobs *jobs, gint64 id, const Outcome *outcome)
{
    g_auto(Outcome) instead = {0};
    if (!send_job_answer(jobs, id, outcome, &instead.error) &&
        g_error_matches(instead.error, HF_ERROR, HF_ERROR_LIMIT_EXCEEDED))
        send_job_answer(jobs, id, &instead, NULL);
}

static void answer_job_error(HfJobs *jobs, gint64 id, HfErrorCode code, const char *message)
{
    g_auto(Outcome) outcome = {.error = g_error_new_literal(HF_ERROR, (gint)code, message)};
    answer_job(jobs, id, &outcome);
}

/* FALSE if a cancellation came first and has answered already. */
static gboolean start_job(HfJobs *jobs, Job *job)
{
    g_mutex_lock(&jobs->lock);
    job->started = !job->answered;
    g_mutex_unlock(&jobs->lock);
    return job->started;
}

static void forget_job(HfJobs *jobs, Job *job)
{
    g_mutex_lock(&jobs->lock);
    g_hash_table_remove(jobs->table, &job->id);
    g_mutex_unlock(&jobs->lock);
    job_free(job);
}

/* Input would not reach what the caller saw, and a picture could show what the lock hides. Held
 * keys may be released. */
static gboolean check_unlocked(HfJobs *jobs, const HfTool *tool, GError **error)
{
    gboolean locked = FALSE;
    gboolean input = tool->needs == HF_NEEDS_INPUT && !(tool->flags & HF_TOOL_RELEASES);
    gboolean capture =
        tool->category == HF_CATEGORY_SCREEN && !g_atomic_int_get(&jobs->captures_while_locked);
    if (!input && !capture)
        return TRUE;
    if (!hf_desktop_session_get_lock(jobs->desktop, &locked, error))
        return FALSE;
    return !locked ||
           hf_fail(error, HF_ERROR_LOCKED, "the screen is locked; the user has to unlock it");
}

/* Evidence shows no more of a locked screen than a screenshot would. */
static void hide_if_locked(HfJobs *jobs, HfErrand *errand, HfResult *seen)
{
    const HfWitness pictures = HF_WITNESS_BEFORE | HF_WITNESS_AFTER | HF_WITNESS_FAILURE;
    gboolean locked = TRUE; /* also if it cannot be found out */
    if (!(errand->witness & pictures) || g_atomic_int_get(&jobs->captures_while_locked))
        return;
    hf_desktop_session_get_lock(jobs->desktop, &locked, NULL);
    if (!locked)
        return;
    errand->witness &= ~pictures;
    json_object_set_new(seen->json, "problem", json_string("no picture: the screen is locked"));
}

/* Nobody cancelled a call that ended because the display was lost. */
static void explain_lost_display(HfJobs *jobs, GError **error)
{
    if (!*error || hf_error_code(*error) != HF_ERROR_DESKTOP_ABORTED ||
        hf_desktop_alive(jobs->desktop))
        return;
    g_clear_error(error);
    hf_fail(error, HF_ERROR_DESKTOP_UNAVAILABLE, "the connection to the display is lost");
}

static HfBrakeKind get_cancelling_brake(HfJobs *jobs, Job *job)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&jobs->lock);
    return job->cancelled_by;
}

/* Nothing may be done before the desk has written the audit row. */
static gboolean await_release(HfJobs *jobs, const HfErrand *errand, GError **error)
{
    return !errand->held ||
           hf_hold_table_wait(jobs->holds, errand->place, errand->id, errand->deadline, error);
}

static void run_verified(HfJobs *jobs, HfErrand *errand, HfCall *call, Outcome *outcome)
{
    HfEffect *effect = errand->verify ? hf_effect_begin(jobs->observer, call) : NULL;
    if (!effect && !(errand->tool->flags & HF_TOOL_READ_ONLY))
        hf_observer_invalidate(jobs->observer);
    if (await_release(jobs, errand, &outcome->error))
        outcome->result = errand->view ? hf_live_views_next(jobs->views, call, errand->view,
                                                            errand->frame, &outcome->error)
                                       : errand->tool->run(call, &outcome->error);
    if (effect)
        outcome->effect = hf_effect_end(effect, outcome->result, outcome->error);
    errand->waited_ms = (guint)hf_json_int(outcome->effect, "waited_ms", 0);
}

/* The call with its checks, and the evidence before and after. */
static void run_witnessed(HfJobs *jobs, HfErrand *errand, HfCall *call, Outcome *outcome)
{
    if (errand->witness) {
        outcome->seen = hf_result_new(json_object());
        hide_if_locked(jobs, errand, outcome->seen);
        hf_evidence_capture_before(hf_call_context(call), errand, outcome->seen);
    }
    if (errand->witness & HF_WITNESS_UNDO)
        hf_call_want_undo(call);
    gboolean input = errand->tool->needs == HF_NEEDS_INPUT && !errand->human;
    if (hf_deadline_check(errand->deadline, &outcome->error) &&
        hf_brake_check(jobs->desktop->brake, input, &outcome->error) &&
        check_unlocked(jobs, errand->tool, &outcome->error) &&
        hf_precondition_check(jobs->desktop, errand->expect, errand->walls, errand->deadline,
                              &outcome->error) &&
        (!errand->route || await_release(jobs, errand, &outcome->error)) &&
        hf_intended_window_prepare(call, errand->route, &outcome->error))
        run_verified(jobs, errand, call, outcome);
    if (!outcome->result)
        hf_modal_explain(hf_call_context(call), errand->deadline, &outcome->error);
    if (errand->verify && !outcome->result && !outcome->effect)
        outcome->effect = hf_effect_refused(outcome->error);
    if (!outcome->seen)
        return;
    json_t *undo = hf_call_steal_undo(call);
    if (undo && outcome->result)
        json_object_set(outcome->seen->json, "undo", undo);
    json_decref(undo);
    hide_if_locked(jobs, errand, outcome->seen);
    hf_evidence_capture_after(hf_call_context(call), errand, !outcome->result, outcome->seen);
}

static void run_job(gpointer data, gpointer user_data)
{
    Job *job = data;
    HfJobs *jobs = user_data;
    if (start_job(jobs, job)) {
        g_auto(Outcome) outcome = {0};
        HfErrand errand = {.tool = job->tool,
                           .params = job->params,
                           .deadline = &job->deadline,
                           .held = job->held >= 0,
                           .id = job->id,
                           .place = job->held};
        hf_errand_read_json(&errand, job->extras);
        g_autoptr(HfCallContext) context =
            hf_call_context_new(jobs->desktop, job->fence, errand.human);
        g_autoptr(HfCall) call =
            hf_call_new(job->tool, json_incref(job->params), context, jobs->desktop, job->deadline);
        hf_call_set_approved(call, errand.approved || errand.human);
        hf_call_set_walls(call, errand.walls);
        hf_call_set_inspected_sha256(call, hf_json_string(job->extras, "inspected_sha256", NULL));
        if (errand.inspect && job->tool->inspect)
            outcome.result = job->tool->inspect(call, &outcome.error);
        else if (!errand.preview)
            run_witnessed(jobs, &errand, call, &outcome);
        else if (check_unlocked(jobs, job->tool, &outcome.error))
            outcome.result = hf_preview(call, &outcome.error);
        explain_lost_display(jobs, &outcome.error);
        hf_brake_explain(jobs->desktop->brake, get_cancelling_brake(jobs, job), &outcome.error);
        answer_job(jobs, job->id, &outcome);
        /* A lost display stays lost: exit, so that the desk starts a new hand. */
        if (outcome.error && !hf_desktop_alive(jobs->desktop))
            shutdown(jobs->fd, SHUT_RD);
    }
    forget_job(jobs, job);
}

/* `sent` is the fence as text; true: the same as last time; false: no restrictions. NULL if it is
 * none of these, or true before any was sent. Borrowed. Only the reading thread calls this. */
static HfFence *fence_from_message(HfJobs *jobs, const json_t *sent)
{
    if (json_is_string(sent)) {
        g_autoptr(json_t) json = json_loads(json_string_value(sent), 0, NULL);
        hf_fence_unref(jobs->fence);
        jobs->fence = hf_fence_new(json);
    }
    if (json_is_false(sent))
        return jobs->open;
    return json_is_string(sent) || json_is_true(sent) ? jobs->fence : NULL;
}

/* Keeps the directories of the walls as long as the job. */
static void take_directories(Job *job, const HfFrame *frame)
{
    json_t *walls = json_object_get(job->extras, "walls");
    job->fds = g_array_ref(frame->fds);
    if (walls)
        hf_handed_directories_set(walls, json_object_get(frame->json, "opened"), frame->fds);
}

static void receive_call(HfJobs *jobs, HfFrame *frame)
{
    json_t *message = frame->json;
    gint64 id = hf_json_int(message, "id", 0);
    const HfTool *tool = hf_registry_find(hf_json_string(message, "tool", ""));
    json_t *params = json_object_get(message, "params");
    HfFence *fence = fence_from_message(jobs, json_object_get(message, "fence"));
    if (!fence) {
        answer_job_error(jobs, id, HF_ERROR_INTERNAL,
                         "the call has no fence, so it may touch nothing");
        return;
    }
    if (!tool || !tool->run || !params) {
        answer_job_error(jobs, id, HF_ERROR_UNKNOWN_TOOL, "the hand does not have this tool");
        return;
    }
    Job *job = g_new0(Job, 1);
    job->id = id;
    job->tool = tool;
    /* Moved out of the message: jansson does not allow two threads to share a value. */
    job->params = json_incref(params);
    json_object_del(message, "params");
    job->fence = hf_fence_ref(fence);
    job->extras = json_incref(json_object_get(message, "ask"));
    json_object_del(message, "ask");
    take_directories(job, frame);
    job->held = (int)hf_json_int(message, "held", -1);
    job->human = hf_json_bool(job->extras, "human", FALSE);
    job->deadline = hf_deadline_in_ms(hf_json_int(message, "timeout_ms", tool->timeout_ms),
                                      g_cancellable_new());
    g_mutex_lock(&jobs->lock);
    g_hash_table_insert(jobs->table, &job->id, job);
    g_mutex_unlock(&jobs->lock);
    g_thread_pool_push(jobs->pool, job, NULL);
}

/* With the lock held. TRUE if the job had not started: the caller must answer it. */
static gboolean mark_cancelled(Job *job, HfBrakeKind kind)
{
    if (kind != HF_BRAKE_OFF)
        job->cancelled_by = kind;
    gboolean never_started = !job->started && !job->answered;
    job->answered |= never_started;
    return never_started;
}

static void answer_never_started(HfJobs *jobs, gint64 id, HfBrakeKind kind)
{
    g_auto(Outcome) outcome = {0};
    hf_fail(&outcome.error, HF_ERROR_DESKTOP_ABORTED, "the call was cancelled before it began");
    hf_brake_explain(jobs->desktop->brake, kind, &outcome.error);
    answer_job(jobs, id, &outcome);
}

void hf_jobs_cancel_for_brake(HfJobs *jobs, HfBrakeKind kind)
{
    g_autoptr(GPtrArray) cancellables = g_ptr_array_new_with_free_func(g_object_unref);
    g_autoptr(GArray) never_started = g_array_new(FALSE, FALSE, sizeof(gint64));
    GHashTableIter iter;
    gpointer value;
    g_mutex_lock(&jobs->lock);
    g_hash_table_iter_init(&iter, jobs->table);
    while (g_hash_table_iter_next(&iter, NULL, &value)) {
        Job *job = value;
        if (kind == HF_BRAKE_TAKEOVER && (job->human || job->tool->needs != HF_NEEDS_INPUT))
            continue;
        g_ptr_array_add(cancellables, g_object_ref(job->deadline.cancellable));
        if (mark_cancelled(job, kind))
            g_array_append_val(never_started, job->id);
    }
    g_mutex_unlock(&jobs->lock);
    g_ptr_array_foreach(cancellables, (GFunc)(void (*)(void))g_cancellable_cancel, NULL);
    for (guint i = 0; i < never_started->len; i++)
        answer_never_started(jobs, g_array_index(never_started, gint64, i), kind);
}

void hf_jobs_set_captures_while_locked(HfJobs *jobs, gboolean allowed)
{
    g_atomic_int_set(&jobs->captures_while_locked, allowed);
}

void hf_jobs_send_event(HfJobs *jobs, json_t *take_event)
{
    json_object_set_new(take_event, "type", json_string("event"));
    g_autoptr(HfFrame) frame = hf_frame_new(take_event);
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&jobs->write_lock);
    hf_frame_write(jobs->fd, frame, NULL);
}

static void receive_cancel(HfJobs *jobs, gint64 id)
{
    g_autoptr(GCancellable) cancellable = NULL;
    g_mutex_lock(&jobs->lock);
    Job *job = g_hash_table_lookup(jobs->table, &id);
    if (job)
        cancellable = g_object_ref(job->deadline.cancellable);
    gboolean never_started = job && mark_cancelled(job, HF_BRAKE_OFF);
    g_mutex_unlock(&jobs->lock);
    if (cancellable)
        g_cancellable_cancel(cancellable);
    if (never_started)
        answer_never_started(jobs, id, HF_BRAKE_OFF);
}

void hf_jobs_receive(HfJobs *jobs, HfFrame *frame)
{
    const char *type = hf_json_string(frame->json, "type", "");
    if (g_str_equal(type, "call"))
        receive_call(jobs, frame);
    else if (g_str_equal(type, "cancel"))
        receive_cancel(jobs, hf_json_int(frame->json, "id", 0));
}

HfJobs *hf_jobs_new(HfDesktop *desktop, int fd, HfHoldTable *take_holds)
{
    HfJobs *jobs = g_new0(HfJobs, 1);
    jobs->desktop = desktop;
    jobs->fd = fd;
    jobs->holds = take_holds;
    jobs->open = hf_fence_new_open();
    jobs->views = hf_live_views_new();
    jobs->observer = hf_observer_new(desktop);
    hf_password_fields_start_finder(desktop);
    jobs->table = g_hash_table_new(g_int64_hash, g_int64_equal);
    g_mutex_init(&jobs->lock);
    g_mutex_init(&jobs->write_lock);
    jobs->pool = g_thread_pool_new(run_job, jobs, HF_LIMIT_HAND_WORKERS, FALSE, NULL);
    return jobs;
}

void hf_jobs_free(HfJobs *jobs)
{
    g_autoptr(GPtrArray) cancellables = g_ptr_array_new_with_free_func(g_object_unref);
    GHashTableIter iter;
    gpointer job;
    g_mutex_lock(&jobs->lock);
    g_hash_table_iter_init(&iter, jobs->table);
    while (g_hash_table_iter_next(&iter, NULL, &job))
        g_ptr_array_add(cancellables, g_object_ref(((Job *)job)->deadline.cancellable));
    g_mutex_unlock(&jobs->lock);
    g_ptr_array_foreach(cancellables, (GFunc)(void (*)(void))g_cancellable_cancel, NULL);
    g_thread_pool_free(jobs->pool, FALSE, TRUE);
    hf_hold_table_free(jobs->holds);
    hf_fence_unref(jobs->fence);
    hf_fence_unref(jobs->open);
    hf_live_views_free(jobs->views);
    hf_observer_free(jobs->observer);
    g_hash_table_unref(jobs->table);
    g_mutex_clear(&jobs->lock);
    g_mutex_clear(&jobs->write_lock);
    g_free(jobs);
}
