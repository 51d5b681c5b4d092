/* SPDX-License-Identifier: Apache-2.0 */
/* Calls to a hand. The hand keeps the time limit; the link makes sure that a caller gets an answer
 * when the hand cannot give one. A lost answer to an action is OUTCOME_UNKNOWN, never a plain
 * failure: a caller that retries could do it twice. */
#include "desk/desktops/hand-link.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "desk/desktops/allowed-directories.h"
#include "desk/desktops/desktops-limits.h"
#include "shared/base/error.h"
#include "shared/base/waiter.h"
#include "shared/wire/frame.h"
#include "shared/wire/hold-table.h"

/* How long after the hand's own time limit we ask it to cancel. */
#define SLACK_US (100 * 1000)

struct HfHandLink {
    gatomicrefcount refs;
    int fd;
    HfHoldTable *releases;
    GMutex write_lock;   /* one frame at a time; guards `fence` */
    char *fence;         /* the last one that the hand got */
    GMutex lock;         /* guards what follows */
    GCond changed;       /* a brake was confirmed, or the hand is lost */
    int pid;             /* 0 before its first message */
    GHashTable *waiting; /* id → Waiting, on the stack of its caller */
    gint64 next_id;
    gint64 brakes, braked; /* number of brakes sent; the last confirmed one */
    gboolean lost;
};

/* Each has its own condition, so that an answer wakes only its caller. */
typedef struct Waiting {
    gint64 id;
    int place; /* its slot if it is held (shared/wire/hold-table.h); -1: none */
    GCond changed;
    HfFrame *reply;
} Waiting;

HfHandLink *hf_hand_link_new(int take_fd, GError **error)
{
    g_autoptr(HfHoldTable) releases = hf_hold_table_new(error);
    if (!releases || !hf_hold_table_send(releases, take_fd, error)) {
        close(take_fd);
        return NULL;
    }
    HfHandLink *link = g_new0(HfHandLink, 1);
    g_atomic_ref_count_init(&link->refs);
    link->fd = take_fd;
    link->releases = g_steal_pointer(&releases);
    g_mutex_init(&link->write_lock);
    g_mutex_init(&link->lock);
    g_cond_init(&link->changed);
    link->waiting = g_hash_table_new(g_int64_hash, g_int64_equal);
    struct timeval limit = {.tv_sec = 5};
    setsockopt(take_fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
    return link;
}

HfHandLink *hf_hand_link_ref(HfHandLink *link)
{
    g_atomic_ref_count_inc(&link->refs);
    return link;
}

void hf_hand_link_unref(HfHandLink *link)
{
    if (!link || !g_atomic_ref_count_dec(&link->refs))
        return;
    close(link->fd);
    hf_hold_table_free(link->releases);
    g_hash_table_unref(link->waiting);
    g_free(link->fence);
    g_mutex_clear(&link->write_lock);
    g_mutex_clear(&link->lock);
    g_cond_clear(&link->changed);
    g_free(link);
}

/* The hand uses the directories that the desk opens: it may see others at their paths. */
static gboolean add_directories(HfFrame *frame, const json_t *walls, GError **error)
{
    json_t *opened = hf_allowed_directories_open(walls, frame, error);
    if (opened)
        json_object_set_new(frame->json, "opened", opened);
    return opened != NULL;
}

gboolean hf_hand_link_send_files(HfHandLink *link, const char *files_dir, const json_t *directories,
                                 GError **error)
{
    int files = files_dir ? open(files_dir, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : -1;
    g_autoptr(HfFrame) frame = hf_frame_new(json_pack("{s:s}", "type", "files"));
    json_t *walls = directories ? json_pack("{s:[O]}", "directories", directories)
                                : json_pack("{s:[]}", "directories");
    json_object_set_new(frame->json, "walls", walls);
    if (files >= 0)
        json_object_set_new(frame->json, "store",
                            json_pack("{s:i, s:o}", "fd", (int)hf_frame_take_fd(frame, files),
                                      "path", hf_json_text(files_dir)));
    /* What is too much for recovery is too much for every call, which says so. */
    add_directories(frame, walls, NULL);
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&link->write_lock);
    return hf_frame_write(link->fd, frame, error);
}

gboolean hf_hand_link_wait_hello(HfHandLink *link, GError **error)
{
    HfDeadline limit = hf_deadline_in_ms(HF_LIMIT_HAND_START_MS, NULL);
    if (!hf_deadline_wait_readable(&limit, link->fd, NULL))
        return hf_fail(error, HF_ERROR_DESKTOP_UNAVAILABLE, "the hand was not ready in time");
    g_autoptr(HfFrame) hello = hf_frame_read(link->fd, NULL);
    if (!hello)
        return hf_fail(error, HF_ERROR_DESKTOP_UNAVAILABLE, "the hand ended before it was ready");
    const json_t *failure = json_object_get(hello->json, "error");
    if (failure) {
        g_propagate_error(error, hf_error_new_from_json(failure));
        return FALSE;
    }
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&link->lock);
    link->pid = (int)hf_json_int(hello->json, "pid", 0);
    return TRUE;
}

int hf_hand_link_get_pid(HfHandLink *link)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&link->lock);
    return link->pid;
}

static void confirm_brake(HfHandLink *link, gint64 number)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&link->lock);
    link->braked = MAX(link->braked, number);
    g_cond_broadcast(&link->changed);
}

static void deliver_event(HfHandLink *link, const json_t *event, HfHandEvent handle, gpointer data)
{
    if (g_str_equal(hf_json_string(event, "event", ""), "braked"))
        confirm_brake(link, hf_json_int(event, "number", 0));
    else
        handle(event, data);
}

static void deliver_answer(HfHandLink *link, HfFrame *take_frame)
{
    g_autoptr(HfFrame) frame = take_frame;
    gint64 id = hf_json_int(frame->json, "id", 0);
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&link->lock);
    Waiting *waiting = g_hash_table_lookup(link->waiting, &id);
    if (waiting && !waiting->reply) {
        waiting->reply = g_steal_pointer(&frame);
        g_cond_signal(&waiting->changed);
    }
}

static void mark_hand_lost(HfHandLink *link)
{
    GHashTableIter iter;
    gpointer waiting;
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&link->lock);
    link->lost = TRUE;
    g_cond_broadcast(&link->changed);
    g_hash_table_iter_init(&iter, link->waiting);
    while (g_hash_table_iter_next(&iter, NULL, &waiting))
        g_cond_signal(&((Waiting *)waiting)->changed);
}

void hf_hand_link_run(HfHandLink *link, HfHandEvent handle, gpointer data)
{
    HfFrame *frame;
    while ((frame = hf_frame_read(link->fd, NULL))) {
        if (g_str_equal(hf_json_string(frame->json, "type", ""), "event")) {
            deliver_event(link, frame->json, handle, data);
            hf_frame_free(frame);
        } else {
            deliver_answer(link, frame);
        }
    }
    mark_hand_lost(link);
}

void hf_hand_link_hang_up(HfHandLink *link)
{
    shutdown(link->fd, SHUT_RDWR);
}

static gboolean send_hand_message(HfHandLink *link, json_t *take_json, GError **error)
{
    g_autoptr(HfFrame) frame = hf_frame_new(take_json);
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&link->write_lock);
    return hf_frame_write(link->fd, frame, error);
}

gboolean hf_hand_link_send_order(HfHandLink *link, json_t *take_order, GError **error)
{
    return send_hand_message(link, take_order, error);
}

typedef struct BrakeOrder {
    HfHandLink *link;
    const char *kind;
    gint64 number;
} BrakeOrder;

/* On its own thread: writing blocks if the hand does not read. */
static gpointer send_brake(gpointer data)
{
    const BrakeOrder *order = data;
    send_hand_message(order->link,
                      json_pack("{s:s, s:s, s:I}", "type", "brake", "kind", order->kind, "number",
                                (json_int_t)order->number),
                      NULL);
    return NULL;
}

gboolean hf_hand_link_brake(HfHandLink *link, const char *kind)
{
    gint64 until = g_get_monotonic_time() + HF_LIMIT_BRAKE_MS * 1000;
    g_mutex_lock(&link->lock);
    BrakeOrder order = {link, kind, ++link->brakes};
    g_mutex_unlock(&link->lock);
    GThread *sender = g_thread_new("brake", send_brake, &order);
    g_mutex_lock(&link->lock);
    while (link->braked < order.number && !link->lost &&
           g_cond_wait_until(&link->changed, &link->lock, until))
        ;
    gboolean confirmed = link->braked >= order.number || link->lost;
    g_mutex_unlock(&link->lock);
    if (!confirmed)
        hf_hand_link_hang_up(link); /* also unblocks the sender */
    g_thread_join(sender);
    return confirmed;
}

/* With the write lock held. Most calls have the same fence, which is longer than the call: it is
 * sent once, then `true` stands for it. `false` means that nothing is fenced off; the hand refuses
 * a call that says neither. */
static gboolean write_call(HfHandLink *link, HfFrame *frame, const char *fence, GError **error)
{
    gboolean known = g_strcmp0(fence, link->fence) == 0;
    json_object_set_new(frame->json, "fence",
                        !fence  ? json_false()
                        : known ? json_true()
                                : json_string(fence));
    gboolean sent = hf_frame_write(link->fd, frame, error);
    if (sent && fence && !known) {
        g_free(link->fence);
        link->fence = g_strdup(fence);
    }
    return sent;
}

static gboolean send_call(HfHandLink *link, const Waiting *waiting, const HfErrand *errand,
                          GError **error)
{
    json_t *message =
        json_pack("{s:s, s:I, s:s, s:O, s:I}", "type", "call", "id", (json_int_t)waiting->id,
                  "tool", errand->tool->name, "params", errand->params, "timeout_ms",
                  (json_int_t)hf_deadline_left_ms(errand->deadline));
    json_t *ask = hf_errand_to_json(errand);
    if (ask)
        json_object_set_new(message, "ask", ask);
    if (waiting->place >= 0)
        json_object_set_new(message, "held", json_integer(waiting->place));
    g_autoptr(HfFrame) frame = hf_frame_new(message);
    if (errand->walls && !add_directories(frame, errand->walls, error))
        return FALSE;
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&link->write_lock);
    return write_call(link, frame, errand->fence, error);
}

static void send_cancel(HfHandLink *link, gint64 id)
{
    send_hand_message(link, json_pack("{s:s, s:I}", "type", "cancel", "id", (json_int_t)id), NULL);
}

/* Waits for the reply. Asks the hand to cancel when the caller gives up or time is over, and
 * reports the hand as hung if it does not answer that either. */
static HfHandState wait_reply(HfHandLink *link, Waiting *waiting, const HfDeadline *deadline)
{
    HfHandState state = HF_HAND_FINE;
    gboolean asked = FALSE;
    gint64 until = deadline->at_us + SLACK_US;
    HfWaiter waiter;
    hf_waiter_begin(&waiter, &link->lock, &waiting->changed, deadline->cancellable);
    g_mutex_lock(&link->lock);
    while (!waiting->reply && !link->lost && state == HF_HAND_FINE) {
        gboolean cancelled =
            deadline->cancellable && g_cancellable_is_cancelled(deadline->cancellable);
        gboolean over = g_get_monotonic_time() >= until;
        if (!asked && (cancelled || over)) {
            asked = TRUE;
            until = g_get_monotonic_time() + HF_LIMIT_CANCEL_GRACE_MS * 1000;
            g_mutex_unlock(&link->lock);
            send_cancel(link, waiting->id);
            g_mutex_lock(&link->lock);
        } else if (asked && over) {
            state = HF_HAND_HUNG;
        } else {
            g_cond_wait_until(&waiting->changed, &link->lock, until);
        }
    }
    g_hash_table_remove(link->waiting, &waiting->id);
    g_mutex_unlock(&link->lock);
    hf_waiter_end(&waiter);
    return state;
}

/* Long texts travel as bytes: parsing them as JSON took four times as long as everything else. */
static void add_reply_part(HfResult *result, const json_t *part, GBytes *bytes)
{
    const char *field = hf_json_string(part, "field", "data");
    const char *media_type = hf_json_string(part, "media_type", "application/octet-stream");
    gsize length;
    const char *data = g_bytes_get_data(bytes, &length);
    if (g_str_equal(media_type, HF_MEDIA_TEXT))
        json_object_set_new(result->json, field, hf_json_text_n(data ? data : "", length));
    else
        hf_result_add_attachment(result, field, media_type, g_bytes_ref(bytes));
}

/* The member `name` of the reply, with its binary parts. */
static HfResult *read_result(const HfFrame *frame, const char *name, gboolean seen)
{
    HfResult *result = hf_result_new(json_incref(json_object_get(frame->json, name)));
    const json_t *parts = json_object_get(frame->json, "parts");
    for (guint i = 0; i < frame->parts->len; i++) {
        const json_t *part = json_array_get(parts, i);
        if (hf_json_bool(part, "seen", FALSE) == seen)
            add_reply_part(result, part, frame->parts->pdata[i]);
    }
    return result;
}

static HfResult *read_hand_reply(const HfFrame *frame, HfErrand *errand, GError **error)
{
    const json_t *failure = json_object_get(frame->json, "error");
    if (json_is_object(json_object_get(frame->json, "seen")))
        errand->ret_witness = read_result(frame, "seen", TRUE);
    errand->ret_effect = json_incref(json_object_get(frame->json, "effect"));
    if (!failure)
        return read_result(frame, "result", FALSE);
    g_propagate_error(error, hf_error_new_from_json(failure));
    return NULL;
}

static void fail_lost(const HfTool *tool, HfHandState state, GError **error)
{
    const char *what =
        state == HF_HAND_HUNG ? "did not answer and was killed" : "ended during the call";
    if (tool->flags & HF_TOOL_READ_ONLY)
        hf_fail(error, HF_ERROR_DESKTOP_UNAVAILABLE,
                "the hand %s; %s changes nothing, so try again", what, tool->name);
    else
        hf_fail(error, HF_ERROR_OUTCOME_UNKNOWN, "the hand %s; %s may or may not have been done",
                what, tool->name);
}

/* Reserves a slot in which the hand holds the call. Without one, the audit is written before the
 * call is sent. */
static gboolean hold_call_in_hand(HfHandLink *link, Waiting *waiting, HfErrand *errand,
                                  GError **error)
{
    waiting->place = -1;
    if (!errand->held || !errand->meanwhile)
        return TRUE;
    waiting->place = hf_hold_table_hold(link->releases, waiting->id);
    return waiting->place >= 0 ||
           g_steal_pointer(&errand->meanwhile)(errand->meanwhile_data, error);
}

/* Writes the audit while the hand works. If that fails, the call is cancelled, and its answer still
 * awaited. */
static gboolean do_meanwhile(HfHandLink *link, const Waiting *waiting, HfErrand *errand,
                             GError **error)
{
    HfMeanwhile meanwhile = g_steal_pointer(&errand->meanwhile);
    if (meanwhile && !meanwhile(errand->meanwhile_data, error)) {
        send_cancel(link, waiting->id);
        return FALSE;
    }
    /* A call that was cancelled meanwhile must not be released. */
    if (waiting->place >= 0 && hf_deadline_check(errand->deadline, NULL))
        hf_hold_table_release(link->releases, waiting->place, waiting->id);
    return TRUE;
}

static void forget_waiting_call(HfHandLink *link, const Waiting *waiting)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&link->lock);
    g_hash_table_remove(link->waiting, &waiting->id);
}

/* Sends the call and waits for the reply (owned). NULL with an error when there is none. */
static HfFrame *ask_hand(HfHandLink *link, Waiting *waiting, HfErrand *errand,
                         HfHandState *ret_state, GError **error)
{
    g_autoptr(GError) unsent = NULL;
    if (!hold_call_in_hand(link, waiting, errand, error)) {
        forget_waiting_call(link, waiting);
        return NULL;
    }
    if (!send_call(link, waiting, errand, &unsent)) {
        forget_waiting_call(link, waiting);
        /* A hand that is gone got no whole message; one that does not read hangs. */
        *ret_state = g_error_matches(unsent, HF_ERROR, HF_ERROR_DESKTOP_TIMEOUT) ? HF_HAND_HUNG
                                                                                 : HF_HAND_FINE;
        g_propagate_error(error, g_steal_pointer(&unsent));
        return NULL;
    }
    gboolean wanted = do_meanwhile(link, waiting, errand, error);
    *ret_state = wait_reply(link, waiting, errand->deadline);
    g_autoptr(HfFrame) reply = g_steal_pointer(&waiting->reply);
    if (reply && waiting->place >= 0)
        hf_hold_table_free_slot(link->releases, waiting->place);
    if (!wanted)
        return NULL;
    if (!reply)
        fail_lost(errand->tool, *ret_state, error);
    return g_steal_pointer(&reply);
}

HfResult *hf_hand_link_call(HfHandLink *link, HfErrand *errand, HfHandState *ret_state,
                            GError **error)
{
    Waiting waiting = {0};
    g_cond_init(&waiting.changed);
    g_mutex_lock(&link->lock);
    waiting.id = ++link->next_id;
    g_hash_table_insert(link->waiting, &waiting.id, &waiting);
    g_mutex_unlock(&link->lock);
    g_autoptr(HfFrame) reply = ask_hand(link, &waiting, errand, ret_state, error);
    hf_frame_free(waiting.reply); /* a late one */
    g_cond_clear(&waiting.changed);
    return reply ? read_hand_reply(reply, errand, error) : NULL;
}
