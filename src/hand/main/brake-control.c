/* SPDX-License-Identifier: Apache-2.0 */
/* The order matters. On the stop chord: set the brake, report to the desk, end shells, cancel
 * calls, end browsers, release held keys and buttons. On an order of the desk: the same, with the
 * confirmation last. This runs on the thread that saw the reason. What must wait for a call to end
 * (restoring a changed keymap) follows on another thread. */
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
    GThreadPool *follow_ups; /* one thread; each is a notice to show, or null: release all keys */
    GMutex lock;             /* guards what follows */
    gint64 interval_us;      /* at most one report of real input in this time */
    gint64 reported_us, reported_press_us;
};

static void run_follow_up(gpointer data, gpointer user_data)
{
    g_autoptr(json_t) notice = data;
    HfBrakeControl *control = user_data;
    if (json_is_null(notice)) {
        hf_keyboard_release_all(control->desktop, NULL);
        return;
    }
    HfDeadline limit = hf_deadline_in_ms(NOTICE_MS, NULL);
    HfNoticeOutcome outcome;
    HfNotification notification = {
        .title = hf_json_string(notice, "title", ""),
        .body = hf_json_string(notice, "body", ""),
        .urgency = HF_URGENCY_CRITICAL,
        .expires_ms = -1,
    };
    hf_notification_send(&notification, &outcome, &limit, NULL);
}

/* Call with the brake on. */
static void cancel_everything(HfBrakeControl *control, HfBrakeKind kind)
{
    if (kind == HF_BRAKE_STOP)
        hf_shell_sessions_end_all();
    hf_jobs_cancel_for_brake(control->jobs, kind);
    if (kind == HF_BRAKE_STOP)
        hf_browsers_kill(control->desktop);
    hf_keyboard_let_go(control->desktop, NULL);
    g_thread_pool_push(control->follow_ups, json_null(), NULL);
}

static void on_stop_chord(gpointer data)
{
    HfBrakeControl *control = data;
    hf_brake_set(control->desktop->brake, HF_BRAKE_STOP);
    hf_jobs_send_event(control->jobs, json_pack("{s:s}", "event", "stop"));
    cancel_everything(control, HF_BRAKE_STOP);
}

/* The first input of a takeover and the first after input of ours are reported at once, the others
 * once per interval. So is the first press after input of ours, which means more than a motion. The
 * desk knows that up to one interval may be missing at the end, and waits that much longer. */
static gboolean report_is_due(HfBrakeControl *control, gint64 at_us, HfUserInputKind kind,
                              gboolean began)
{
    gint64 ours_us = hf_brake_get_injected(control->desktop->brake);
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&control->lock);
    gboolean due = began || ours_us >= control->reported_us ||
                   (kind == HF_USER_INPUT_PRESS && ours_us >= control->reported_press_us) ||
                   at_us - control->reported_us >= control->interval_us;
    if (due)
        control->reported_us = at_us;
    if (due && kind == HF_USER_INPUT_PRESS)
        control->reported_press_us = at_us;
    return due;
}

static void on_user_input(gint64 at_us, HfUserInputKind kind, gpointer data)
{
    HfBrakeControl *control = data;
    HfBrake *brake = control->desktop->brake;
    gint64 injected = hf_brake_get_injected(brake);
    gboolean began = hf_brake_take_over(brake, at_us);
    if (kind == HF_USER_INPUT_PRESS)
        hf_brake_note_pressed(brake, at_us);
    if (report_is_due(control, at_us, kind, began))
        hf_jobs_send_event(control->jobs,
                           json_pack("{s:s, s:I, s:I, s:I}", "event", "input", "real_us",
                                     (json_int_t)at_us, "injected_us", (json_int_t)injected,
                                     "pressed_us", (json_int_t)hf_brake_get_pressed(brake)));
    if (began)
        cancel_everything(control, HF_BRAKE_TAKEOVER);
}

static GArray *parse_chord(const char *text, GError **error)
{
    const char *names[] = {text, NULL};
    return hf_keys_parse_any(names, error);
}

/* An invalid chord must not leave the owner without one: the default is used then. The problem is
 * reported after the watch has started. */
static void start_watch(HfBrakeControl *control, const json_t *settings)
{
    const json_t *takeover = json_object_get(settings, "takeover");
    g_autoptr(GError) bad_chord = NULL;
    g_autoptr(GError) no_watch = NULL;
    GArray *chord =
        parse_chord(hf_json_string(settings, "stop_hotkey", HF_STOP_HOTKEY), &bad_chord);
    if (!chord)
        chord = parse_chord(HF_STOP_HOTKEY, NULL);
    HfInputWatcher watcher = {
        .chord = chord,
        .jitter_px = (int)hf_json_int(takeover, "jitter_px", HF_TAKEOVER_JITTER_PX),
        .stop = on_stop_chord,
        .touched = on_user_input,
        .data = control,
    };
    control->watch = hf_input_watch_start(control->desktop, &watcher, &no_watch);
    hf_brake_take_chord(control->desktop->brake, chord);
    const GError *problem = no_watch ? no_watch : bad_chord;
    hf_jobs_send_event(control->jobs, json_pack("{s:s, s:o}", "event", "hotkey", "problem",
                                                problem ? hf_error_to_json(problem) : json_null()));
}

static void receive_settings(HfBrakeControl *control, const json_t *settings)
{
    const json_t *takeover = json_object_get(settings, "takeover");
    gint64 quiet_us =
        (gint64)(1000 * hf_json_number(takeover, "quiet_ms", HF_TAKEOVER_QUIET_S * 1000.0));
    hf_input_watch_stop(control->desktop, g_steal_pointer(&control->watch));
    g_mutex_lock(&control->lock);
    control->interval_us = quiet_us / HF_TAKEOVER_REPORTS;
    g_mutex_unlock(&control->lock);
    hf_brake_set_quiet(control->desktop->brake,
                       hf_json_bool(takeover, "enabled", TRUE) ? quiet_us : 0);
    hf_jobs_set_captures_while_locked(control->jobs,
                                      hf_json_bool(settings, "captures_while_locked", FALSE));
    if (json_object_get(settings, "domains"))
        hf_browsers_take_live_domains(control->desktop, json_object_get(settings, "domains"));
    start_watch(control, settings);
}

static void receive_brake(HfBrakeControl *control, const json_t *order)
{
    const char *name = hf_json_string(order, "kind", "stop");
    HfBrakeKind kind = g_str_equal(name, "off")     ? HF_BRAKE_OFF
                       : g_str_equal(name, "pause") ? HF_BRAKE_PAUSE
                                                    : HF_BRAKE_STOP;
    hf_brake_set(control->desktop->brake, kind);
    if (kind != HF_BRAKE_OFF)
        cancel_everything(control, kind);
    hf_jobs_send_event(control->jobs, json_pack("{s:s, s:I}", "event", "braked", "number",
                                                (json_int_t)hf_json_int(order, "number", 0)));
}

gboolean hf_brake_control_receive(HfBrakeControl *control, const json_t *order)
{
    const char *type = hf_json_string(order, "type", "");
    if (g_str_equal(type, "brake"))
        receive_brake(control, order);
    else if (g_str_equal(type, "settings"))
        receive_settings(control, order);
    else if (g_str_equal(type, "touch"))
        on_user_input(g_get_monotonic_time(), HF_USER_INPUT_MOTION, control);
    else if (g_str_equal(type, "release"))
        g_thread_pool_push(control->follow_ups, json_null(), NULL);
    else if (g_str_equal(type, "notify"))
        g_thread_pool_push(control->follow_ups, json_deep_copy(order), NULL);
    else
        return FALSE;
    return TRUE;
}

HfBrakeControl *hf_brake_control_new(HfDesktop *desktop, HfJobs *jobs)
{
    HfBrakeControl *control = g_new0(HfBrakeControl, 1);
    control->desktop = desktop;
    control->jobs = jobs;
    control->interval_us = HF_TAKEOVER_QUIET_S * G_USEC_PER_SEC / HF_TAKEOVER_REPORTS;
    g_mutex_init(&control->lock);
    control->follow_ups =
        g_thread_pool_new_full(run_follow_up, control, (GDestroyNotify)json_decref, 1, FALSE, NULL);
    return control;
}

void hf_brake_control_free(HfBrakeControl *control)
{
    hf_input_watch_stop(control->desktop, control->watch);
    g_thread_pool_free(control->follow_ups, TRUE, TRUE);
    g_mutex_clear(&control->lock);
    g_free(control);
}
