/* SPDX-License-Identifier: Apache-2.0 */
/* Puts the brake on. By the stop chord: set the brake, tell the desk, end shells, cancel calls, end
 * browsers, release held keys and buttons. By an order of the desk: the same, and the confirmation
 * comes last. This happens on the thread that saw the reason. What has to wait for a call to end (a
 * keymap on loan) follows on another thread. */
#include "hand/main/brake-control.h"

#include "hand/browser/browsers.h"
#include "hand/desktop/input-watch.h"
#include "hand/desktop/keyboard.h"
#include "hand/desktop/notifications.h"
#include "hand/main/hand-limits.h"
#include "hand/shell/session/shell-sessions.h"
#include "shared/base/error.h"
#include "shared/base/limits.h"

#define NOTICE_MS 5000

struct HfBrakeControl {
    HfDesktop *desktop;
    HfJobs *jobs;
    HfInputWatch *watch;
    GThreadPool *later; /* one thread at most: what follows, in order */
    GMutex lock;        /* guards what follows */
    gint64 interval_us; /* at most one report of real input in this time */
    gint64 reported_us, reported_press_us;
};

typedef struct Task {
    json_t *notice; /* to show; NULL: let go of everything */
} Task;

static void task_free(gpointer data)
{
    Task *task = data;
    json_decref(task->notice);
    g_free(task);
}

static void run_later(gpointer data, gpointer user_data)
{
    Task *task = data;
    HfBrakeControl *reflex = user_data;
    if (task->notice) {
        HfDeadline limit = hf_deadline_in_ms(NOTICE_MS, NULL);
        HfNoticeOutcome outcome;
        HfNotification notification = {
            .title = hf_json_string(task->notice, "title", ""),
            .body = hf_json_string(task->notice, "body", ""),
            .urgency = HF_URGENCY_CRITICAL,
            .expires_ms = -1,
        };
        hf_notification_send(&notification, &outcome, &limit, NULL);
    } else {
        hf_keyboard_release_all(reflex->desktop, NULL);
    }
    task_free(task);
}

static void do_later(HfBrakeControl *reflex, json_t *take_notice)
{
    Task *task = g_new0(Task, 1);
    task->notice = take_notice;
    g_thread_pool_push(reflex->later, task, NULL);
}

/* The brake is on already. */
static void drop_everything(HfBrakeControl *reflex, HfBrakeKind kind)
{
    if (kind == HF_BRAKE_STOP)
        hf_shell_sessions_end_all();
    hf_jobs_cancel_for_brake(reflex->jobs, kind);
    if (kind == HF_BRAKE_STOP)
        hf_browsers_kill(reflex->desktop);
    hf_keyboard_let_go(reflex->desktop, NULL);
    do_later(reflex, NULL);
}

static void on_stop(gpointer data)
{
    HfBrakeControl *reflex = data;
    hf_brake_set(reflex->desktop->brake, HF_BRAKE_STOP);
    hf_jobs_send_event(reflex->jobs, json_pack("{s:s}", "event", "stop"));
    drop_everything(reflex, HF_BRAKE_STOP);
}

/* Told at once when it begins and when it is the first after input of ours, then now and then; the
 * first press after ours too, which says more than a motion. The desk knows that up to one interval
 * may be missing at the end, and waits that much longer. */
static gboolean report_is_due(HfBrakeControl *reflex, gint64 at_us, HfUserInputKind touch,
                              gboolean began)
{
    gint64 ours_us = hf_brake_get_injected(reflex->desktop->brake);
    g_mutex_lock(&reflex->lock);
    gboolean due = began || ours_us >= reflex->reported_us ||
                   (touch == HF_USER_INPUT_PRESS && ours_us >= reflex->reported_press_us) ||
                   at_us - reflex->reported_us >= reflex->interval_us;
    if (due)
        reflex->reported_us = at_us;
    if (due && touch == HF_USER_INPUT_PRESS)
        reflex->reported_press_us = at_us;
    g_mutex_unlock(&reflex->lock);
    return due;
}

static void on_touched(gint64 at_us, HfUserInputKind touch, gpointer data)
{
    HfBrakeControl *reflex = data;
    HfBrake *brake = reflex->desktop->brake;
    gint64 injected = hf_brake_get_injected(brake);
    gboolean began = hf_brake_take_over(brake, at_us);
    if (touch == HF_USER_INPUT_PRESS)
        hf_brake_note_pressed(brake, at_us);
    if (report_is_due(reflex, at_us, touch, began))
        hf_jobs_send_event(reflex->jobs,
                           json_pack("{s:s, s:I, s:I, s:I}", "event", "input", "real_us",
                                     (json_int_t)at_us, "injected_us", (json_int_t)injected,
                                     "pressed_us", (json_int_t)hf_brake_get_pressed(brake)));
    if (began)
        drop_everything(reflex, HF_BRAKE_TAKEOVER);
}

static GArray *parse_chord(const char *text, GError **error)
{
    const char *names[] = {text, NULL};
    return hf_keys_parse_any(names, error);
}

static void report_hotkey_problem(HfBrakeControl *reflex, const GError *problem)
{
    hf_jobs_send_event(reflex->jobs, json_pack("{s:s, s:o}", "event", "hotkey", "problem",
                                               problem ? hf_error_to_json(problem) : json_null()));
}

/* A chord that cannot be understood must not leave the owner without one. What is wrong is told
 * when the watch is there. */
static void start_watch(HfBrakeControl *reflex, const json_t *settings)
{
    const json_t *takeover = json_object_get(settings, "takeover");
    g_autoptr(GError) misread = NULL;
    g_autoptr(GError) blind = NULL;
    GArray *chord = parse_chord(hf_json_string(settings, "stop_hotkey", HF_STOP_HOTKEY), &misread);
    if (!chord)
        chord = parse_chord(HF_STOP_HOTKEY, NULL);
    HfInputWatcher watcher = {
        .chord = chord,
        .jitter_px = (int)hf_json_int(takeover, "jitter_px", HF_TAKEOVER_JITTER_PX),
        .stop = on_stop,
        .touched = on_touched,
        .data = reflex,
    };
    reflex->watch = hf_input_watch_start(reflex->desktop, &watcher, &blind);
    hf_brake_take_chord(reflex->desktop->brake, chord);
    report_hotkey_problem(reflex, blind ? blind : misread);
}

static void receive_settings(HfBrakeControl *reflex, const json_t *settings)
{
    const json_t *takeover = json_object_get(settings, "takeover");
    gint64 quiet_us =
        (gint64)(1000 * hf_json_number(takeover, "quiet_ms", HF_TAKEOVER_QUIET_S * 1000.0));
    hf_input_watch_stop(reflex->desktop, g_steal_pointer(&reflex->watch));
    g_mutex_lock(&reflex->lock);
    reflex->interval_us = quiet_us / HF_TAKEOVER_REPORTS;
    g_mutex_unlock(&reflex->lock);
    hf_brake_set_quiet(reflex->desktop->brake,
                       hf_json_bool(takeover, "enabled", TRUE) ? quiet_us : 0);
    hf_jobs_set_captures_while_locked(reflex->jobs,
                                      hf_json_bool(settings, "captures_while_locked", FALSE));
    if (json_object_get(settings, "domains"))
        hf_browsers_take_live_domains(reflex->desktop, json_object_get(settings, "domains"));
    start_watch(reflex, settings);
}

static void receive_brake(HfBrakeControl *reflex, const json_t *order)
{
    const char *name = hf_json_string(order, "kind", "stop");
    HfBrakeKind kind = g_str_equal(name, "off")     ? HF_BRAKE_OFF
                       : g_str_equal(name, "pause") ? HF_BRAKE_PAUSE
                                                    : HF_BRAKE_STOP;
    hf_brake_set(reflex->desktop->brake, kind);
    if (kind != HF_BRAKE_OFF)
        drop_everything(reflex, kind);
    hf_jobs_send_event(reflex->jobs, json_pack("{s:s, s:I}", "event", "braked", "number",
                                               (json_int_t)hf_json_int(order, "number", 0)));
}

gboolean hf_brake_control_receive(HfBrakeControl *reflex, const json_t *order)
{
    const char *type = hf_json_string(order, "type", "");
    if (g_str_equal(type, "brake"))
        receive_brake(reflex, order);
    else if (g_str_equal(type, "settings"))
        receive_settings(reflex, order);
    else if (g_str_equal(type, "touch"))
        on_touched(g_get_monotonic_time(), HF_USER_INPUT_MOTION, reflex);
    else if (g_str_equal(type, "release"))
        do_later(reflex, NULL);
    else if (g_str_equal(type, "notify"))
        do_later(reflex, json_deep_copy(order));
    else
        return FALSE;
    return TRUE;
}

HfBrakeControl *hf_brake_control_new(HfDesktop *desktop, HfJobs *jobs)
{
    HfBrakeControl *reflex = g_new0(HfBrakeControl, 1);
    reflex->desktop = desktop;
    reflex->jobs = jobs;
    reflex->interval_us = HF_TAKEOVER_QUIET_S * G_USEC_PER_SEC / HF_TAKEOVER_REPORTS;
    g_mutex_init(&reflex->lock);
    reflex->later = g_thread_pool_new_full(run_later, reflex, task_free, 1, FALSE, NULL);
    return reflex;
}

void hf_brake_control_free(HfBrakeControl *reflex)
{
    hf_input_watch_stop(reflex->desktop, reflex->watch);
    g_thread_pool_free(reflex->later, TRUE, TRUE);
    g_mutex_clear(&reflex->lock);
    g_free(reflex);
}
