/* SPDX-License-Identifier: Apache-2.0 */
/* The order is always the same: the gate shuts in memory, the hands brake, the store and the audit
 * are written, the person is notified. Everything slow runs on a thread of its own, so that the
 * main thread, a signal or a message of a hand can stop. */
#include "desk/guard/stop/stop-control.h"

#include "desk/guard/call-events.h"
#include "desk/guard/passage.h"
#include "desk/records/audit/refusal-counter.h"
#include "shared/base/error.h"
#include "shared/base/i18n.h"
#include "shared/base/paths.h"

/* Real input this soon after ours counts as an interruption, even if no call is running. */
#define AT_WORK_US (10 * G_USEC_PER_SEC)

static char *dup_caller_label(const HfCaller *caller)
{
    if (caller->kind == HF_CALLER_OWNER)
        return g_strdup("the owner");
    return g_strdup_printf("%s (process %d)", caller->name ? caller->name : "a client",
                           (int)caller->pid);
}

static void audit_hold(HfGuard *guard, const char *event, const HfCaller *caller, const char *by,
                       json_t *take_about)
{
    json_object_set_new(take_about, "by", hf_json_text(by));
    hf_audit_event(guard->audit, event, caller, take_about);
}

static json_t *describe_hold_scope(HfStopScope scope, const char *reason)
{
    json_t *json = json_pack("{s:o}", "reason", hf_json_text(reason ? reason : ""));
    if (scope.desktop)
        json_object_set_new(json, "desktop", hf_json_text(scope.desktop));
    if (scope.run)
        json_object_set_new(json, "held_run", hf_json_text(scope.run));
    return json;
}

/* What goes on nevertheless: an array, or NULL. */
static json_t *brake_hands(HfGuard *guard, gboolean anew)
{
    return guard->hands && guard->hands->brake ? guard->hands->brake(anew, guard->data) : NULL;
}

static void notify_of_hold(HfGuard *guard, const char *title, const char *by, const char *reason)
{
    if (!guard->hands || !guard->hands->notify)
        return;
    g_autofree char *body = g_strdup_printf(_("By %s%s%s. Only you can go on: handfast resume"), by,
                                            reason && *reason ? ": " : "", reason ? reason : "");
    guard->hands->notify(title, body, guard->data);
}

typedef struct HoldJob {
    HfGuard *guard;
    const char *event, *title;
    char *by, *reason, *desktop;
    HfStopDoneFunc done;
    gpointer data;
} HoldJob;

static void end_carrying_out(HoldJob *job)
{
    HfGuard *guard = job->guard;
    g_free(job->by);
    g_free(job->reason);
    g_free(job->desktop);
    g_free(job);
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&guard->stops_lock);
    guard->stops_running--;
    g_cond_broadcast(&guard->stops_done);
}

static gpointer carry_out_hold(gpointer data)
{
    HoldJob *job = data;
    HfGuard *guard = job->guard;
    g_autoptr(json_t) unstopped = brake_hands(guard, FALSE);
    gboolean durable = hf_stop_gate_persist(guard->gate, NULL);
    g_autoptr(json_t) outcome = json_pack("{s:b, s:b}", "stopped", 1, "durable", durable);
    HfStopScope scope = {.desktop = job->desktop};
    json_t *about = describe_hold_scope(scope, job->reason);
    if (json_array_size(unstopped) > 0) {
        json_object_set(outcome, "unstopped", unstopped);
        json_object_set(about, "unstopped", unstopped);
    }
    audit_hold(guard, job->event, NULL, job->by, about);
    if (job->done)
        job->done(outcome, job->data);
    notify_of_hold(guard, job->title, job->by, job->reason);
    end_carrying_out(job);
    return NULL;
}

static void carry_out_hold_later(HfGuard *guard, const HoldJob *how)
{
    HoldJob *job = g_memdup2(how, sizeof *how);
    job->guard = guard;
    job->by = g_strdup(how->by);
    job->reason = g_strdup(how->reason);
    job->desktop = g_strdup(how->desktop);
    g_mutex_lock(&guard->stops_lock);
    guard->stops_running++;
    g_mutex_unlock(&guard->stops_lock);
    g_thread_unref(g_thread_new("hold", carry_out_hold, job));
}

void hf_guard_await_stops(HfGuard *guard)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&guard->stops_lock);
    while (guard->stops_running > 0)
        g_cond_wait(&guard->stops_done, &guard->stops_lock);
}

void hf_guard_stop(HfGuard *guard, const HfCaller *caller, const char *by, const char *reason,
                   HfStopDoneFunc done, gpointer data)
{
    g_autofree char *name = caller ? dup_caller_label(caller) : g_strdup(by);
    hf_stop_gate_stop(guard->gate, name, reason);
    carry_out_hold_later(guard, &(HoldJob){.event = "stop",
                                           .title = _("Handfast was stopped"),
                                           .by = name,
                                           .reason = (char *)reason,
                                           .done = done,
                                           .data = data});
}

static void release_held_input(HfGuard *guard, const char *run)
{
    if (guard->hands && guard->hands->release)
        guard->hands->release(run, guard->data);
}

gboolean hf_guard_pause(HfGuard *guard, const HfCaller *caller, HfStopScope scope,
                        const char *reason)
{
    g_autofree char *name = dup_caller_label(caller);
    hf_stop_gate_pause(guard->gate, scope, name, reason);
    if (scope.run)
        release_held_input(guard, scope.run);
    else
        json_decref(brake_hands(guard, FALSE));
    audit_hold(guard, "pause", caller, name, describe_hold_scope(scope, reason));
    return hf_stop_gate_persist(guard->gate, NULL);
}

gboolean hf_guard_abort(HfGuard *guard, const HfCaller *caller, const char *run, const char *reason,
                        guint *ret_count)
{
    g_autofree char *name = dup_caller_label(caller);
    g_autofree char *key = hf_caller_is_owner(caller, NULL) ? NULL : hf_caller_dup_key(caller);
    HfStopScope scope = {.run = run, .caller = key};
    *ret_count = hf_stop_gate_abort(guard->gate, scope, name, reason);
    release_held_input(guard, run);
    audit_hold(guard, "abort", caller, name, describe_hold_scope(scope, reason));
    return hf_stop_gate_persist(guard->gate, NULL);
}

gboolean hf_guard_resume(HfGuard *guard, const HfCaller *caller, HfStopScope scope, GError **error)
{
    g_autofree char *name = dup_caller_label(caller);
    g_autoptr(GError) problem = NULL;
    gboolean done = hf_caller_check_owner_in_person(caller, &problem) &&
                    hf_stop_gate_resume(guard->gate, scope, &problem);
    json_t *line = describe_hold_scope(scope, NULL);
    if (problem)
        json_object_set_new(line, "error", hf_error_to_json(problem));
    if (done || hf_refusal_counter_note(guard->refusals, caller, "resume", hf_error_code(problem)))
        audit_hold(guard, "resume", caller, name, line);
    else
        json_decref(line);
    if (!done) {
        g_propagate_error(error, g_steal_pointer(&problem));
        return FALSE;
    }
    json_decref(brake_hands(guard, TRUE));
    return TRUE;
}

void hf_guard_note_person_input(HfGuard *guard, const char *desktop, gint64 real_us,
                                gint64 injected_us)
{
    gboolean working = hf_stop_gate_has_input(guard->gate, desktop) ||
                       (injected_us && real_us - injected_us < AT_WORK_US);
    gboolean was_in_use = hf_stop_gate_in_use(guard->gate, desktop);
    gboolean too_often = hf_stop_gate_note_person_input(guard->gate, desktop, real_us, working);
    if (!was_in_use && hf_stop_gate_in_use(guard->gate, desktop))
        hf_call_event_takeover(guard->events, desktop, working);
    if (too_often)
        carry_out_hold_later(guard, &(HoldJob){.event = "pause",
                                               .title = _("Handfast is paused"),
                                               .by = (char *)"takeover",
                                               .reason = (char *)_("you keep using this desktop"),
                                               .desktop = (char *)desktop});
}

const char *hf_guard_get_brake(HfGuard *guard, const char *desktop)
{
    return hf_stop_gate_get_brake(guard->gate, desktop);
}

gboolean hf_guard_has_other_run(HfGuard *guard, const char *desktop, const char *run)
{
    return hf_stop_gate_has_other_run(guard->gate, desktop, run);
}

json_t *hf_guard_describe_stop_state(HfGuard *guard)
{
    return hf_stop_gate_describe(guard->gate);
}

static json_t *absolute_directories(const HfConfig *config)
{
    json_t *list = json_array();
    hf_json_each (entry, hf_config_get(config, "security.allowed_directories")) {
        g_autofree char *path = hf_path_dup_absolute(json_string_value(entry));
        json_array_append_new(list, hf_json_text(path));
    }
    return list;
}

static json_t *settings_of(const HfConfig *config)
{
    gboolean captures = g_str_equal(hf_config_string(config, "lock.captures"), "allow");
    return json_pack("{s:o, s:b, s:{s:b, s:f, s:I}, s:{s:o, s:o}, s:o}", "stop_hotkey",
                     hf_json_text(hf_config_string(config, "stop.hotkey")), "captures_while_locked",
                     captures, "takeover", "enabled", hf_config_bool(config, "takeover.enabled"),
                     "quiet_ms", hf_config_number(config, "takeover.quiet_s") * 1000, "jitter_px",
                     (json_int_t)hf_config_int(config, "takeover.jitter_px"), "domains", "allowed",
                     json_deep_copy(hf_config_get(config, "security.allowed_domains")), "blocked",
                     json_deep_copy(hf_config_get(config, "security.blocked_domains")),
                     "directories", absolute_directories(config));
}

json_t *hf_guard_dup_settings(HfGuard *guard)
{
    g_autoptr(HfConfig) config = hf_live_config_get(guard->live_config);
    return settings_of(config);
}

void hf_stop_control_configure(HfGuard *guard, HfConfig *config)
{
    gboolean enabled = hf_config_bool(config, "takeover.enabled");
    double quiet_s = hf_config_number(config, "takeover.quiet_s");
    hf_stop_gate_set_takeover(guard->gate, enabled ? (gint64)(quiet_s * G_USEC_PER_SEC) : 0,
                              (guint)hf_config_int(config, "takeover.times"));
    g_autoptr(json_t) settings = settings_of(config);
    if (guard->hands && guard->hands->configure)
        guard->hands->configure(settings, guard->data);
}
