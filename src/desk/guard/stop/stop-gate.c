/* SPDX-License-Identifier: Apache-2.0 */
/* The holds are stored as three values: "stopped", "paused", "aborted". Shutting changes memory
 * first and the disk second; opening the other way round. So a failure in between leaves the gate
 * shut. */
#include "desk/guard/stop/stop-gate.h"

#include <glib.h>
#include <jansson.h>

#include "desk/guard/guard-limits.h"
#include "desk/guard/stop/takeovers.h"
#include "desk/records/store/key-values.h"
#include "shared/base/error.h"
#include "shared/base/json.h"
#include "shared/base/limits.h"
#include "shared/base/waiter.h"

struct HfStopGate {
    HfStore *store;
    GMutex keep_lock; /* one writer of the store at a time; taken before `lock` */
    GMutex lock;      /* guards what follows */
    GCond changed;
    json_t *stopped;          /* a hold, or NULL */
    guint shut;               /* how often it was stopped or paused */
    json_t *paused, *aborted; /* arrays of holds */
    GHashTable *passes;       /* set of HfStopGatePass */
    HfTakeovers *takeovers;
};

struct HfStopGatePass {
    HfStopGate *gate;
    char *desktop, *run, *caller;
    GCancellable *request, *cancellable;
    gulong chain;
    gboolean input; /* guarded by the gate's lock, as is what follows */
    json_t *held;   /* the hold that cancelled it, or NULL */
};

static json_t *new_hold(const char *kind, HfStopScope scope, const char *by, const char *reason)
{
    json_t *hold = json_pack("{s:s, s:o, s:o, s:I}", "kind", kind, "by", hf_json_text(by), "reason",
                             hf_json_text(reason ? reason : ""), "since",
                             (json_int_t)(g_get_real_time() / 1000));
    if (scope.desktop)
        json_object_set_new(hold, "desktop", hf_json_text(scope.desktop));
    if (scope.run)
        json_object_set_new(hold, "run", hf_json_text(scope.run));
    if (scope.caller)
        json_object_set_new(hold, "caller", hf_json_text(scope.caller));
    return hold;
}

/* NULL with an error when it cannot be read. A value of the wrong type counts as a stop. */
static json_t *load_latched_hold(HfStore *store, const char *name, json_type type,
                                 gboolean *ret_odd, GError **error)
{
    json_t *value = hf_key_value_get(store, name, error);
    if (!value || json_typeof(value) == type)
        return value;
    *ret_odd |= !json_is_null(value);
    json_decref(value);
    return type == JSON_ARRAY ? json_array() : json_null();
}

HfStopGate *hf_stop_gate_new(HfStore *store, GError **error)
{
    gboolean odd = FALSE;
    g_autoptr(json_t) stopped = load_latched_hold(store, "stopped", JSON_OBJECT, &odd, error);
    g_autoptr(json_t) paused =
        stopped ? load_latched_hold(store, "paused", JSON_ARRAY, &odd, error) : NULL;
    g_autoptr(json_t) aborted =
        paused ? load_latched_hold(store, "aborted", JSON_ARRAY, &odd, error) : NULL;
    if (!aborted)
        return NULL;
    HfStopGate *gate = g_new0(HfStopGate, 1);
    gate->store = store;
    g_mutex_init(&gate->keep_lock);
    g_mutex_init(&gate->lock);
    g_cond_init(&gate->changed);
    gate->stopped = json_is_object(stopped) ? json_incref(stopped) : NULL;
    if (odd && !gate->stopped)
        gate->stopped = new_hold("stop", (HfStopScope){NULL}, "handfast",
                                 "the stored stops and pauses cannot be read");
    gate->paused = json_incref(paused);
    gate->aborted = json_incref(aborted);
    gate->passes = g_hash_table_new(NULL, NULL);
    gate->takeovers = hf_takeovers_new();
    return gate;
}

void hf_stop_gate_free(HfStopGate *gate)
{
    if (!gate)
        return;
    json_decref(gate->stopped);
    json_decref(gate->paused);
    json_decref(gate->aborted);
    g_hash_table_unref(gate->passes);
    hf_takeovers_free(gate->takeovers);
    g_cond_clear(&gate->changed);
    g_mutex_clear(&gate->lock);
    g_mutex_clear(&gate->keep_lock);
    g_free(gate);
}

static gboolean hold_covers(const json_t *hold, const HfStopScope *call)
{
    const char *of_desktop = hf_json_string(hold, "desktop", NULL);
    const char *of_run = hf_json_string(hold, "run", NULL);
    const char *of_caller = hf_json_string(hold, "caller", NULL);
    return (!of_desktop || g_strcmp0(of_desktop, call->desktop) == 0) &&
           (!of_run || g_strcmp0(of_run, call->run) == 0) &&
           (!of_caller || g_strcmp0(of_caller, call->caller) == 0);
}

static json_t *find_hold(const json_t *holds, const HfStopScope *call)
{
    hf_json_each (hold, holds)
        if (hold_covers(hold, call))
            return hold;
    return NULL;
}

/* With the lock held: the strongest hold for such a call; borrowed. */
static json_t *find_reason(HfStopGate *gate, const HfStopScope *call)
{
    if (gate->stopped)
        return gate->stopped;
    json_t *aborted = find_hold(gate->aborted, call);
    return aborted ? aborted : find_hold(gate->paused, call);
}

/* With the lock held: marks every call that is now held. The caller cancels them without the lock.
 */
static GPtrArray *call_off(HfStopGate *gate)
{
    GPtrArray *cancellables = g_ptr_array_new_with_free_func(g_object_unref);
    GHashTableIter iter;
    gpointer key;
    g_hash_table_iter_init(&iter, gate->passes);
    while (g_hash_table_iter_next(&iter, &key, NULL)) {
        HfStopGatePass *pass = key;
        HfStopScope call = {pass->desktop, pass->run, pass->caller};
        const json_t *reason = find_reason(gate, &call);
        if (!reason || pass->held)
            continue;
        pass->held = json_deep_copy(reason);
        g_ptr_array_add(cancellables, g_object_ref(pass->cancellable));
    }
    g_cond_broadcast(&gate->changed);
    return cancellables;
}

static guint cancel_all(GPtrArray *take_cancellables)
{
    guint count = take_cancellables->len;
    g_ptr_array_foreach(take_cancellables, (GFunc)(void (*)(void))g_cancellable_cancel, NULL);
    g_ptr_array_unref(take_cancellables);
    return count;
}

gboolean hf_stop_gate_stop(HfStopGate *gate, const char *by, const char *reason)
{
    g_mutex_lock(&gate->lock);
    gboolean first = !gate->stopped;
    gate->shut++;
    if (first)
        gate->stopped = new_hold("stop", (HfStopScope){NULL}, by, reason);
    GPtrArray *cancellables = call_off(gate);
    g_mutex_unlock(&gate->lock);
    cancel_all(cancellables);
    return first;
}

static gboolean is_hold_of_scope(const json_t *hold, HfStopScope scope)
{
    return g_strcmp0(hf_json_string(hold, "desktop", NULL), scope.desktop) == 0 &&
           g_strcmp0(hf_json_string(hold, "run", NULL), scope.run) == 0 &&
           g_strcmp0(hf_json_string(hold, "caller", NULL), scope.caller) == 0;
}

/* With the lock held. */
static gboolean add_hold(json_t *holds, json_t *take_hold, HfStopScope scope)
{
    hf_json_each (hold, holds)
        if (is_hold_of_scope(hold, scope)) {
            json_decref(take_hold);
            return FALSE;
        }
    json_array_append_new(holds, take_hold);
    return TRUE;
}

gboolean hf_stop_gate_pause(HfStopGate *gate, HfStopScope scope, const char *by, const char *reason)
{
    g_mutex_lock(&gate->lock);
    gate->shut++;
    if (json_array_size(gate->paused) >= HF_LIMIT_PAUSES)
        scope = (HfStopScope){NULL}; /* too many to keep apart: pause everything */
    gboolean first = add_hold(gate->paused, new_hold("pause", scope, by, reason), scope);
    GPtrArray *cancellables = call_off(gate);
    g_mutex_unlock(&gate->lock);
    cancel_all(cancellables);
    return first;
}

/* With the lock held. A client's aborts never push out those of the owner. */
static void drop_oldest_abort(HfStopGate *gate)
{
    size_t oldest = 0;
    for (size_t i = json_array_size(gate->aborted); i > 0; i--)
        if (json_object_get(json_array_get(gate->aborted, i - 1), "caller"))
            oldest = i - 1;
    json_array_remove(gate->aborted, oldest);
}

guint hf_stop_gate_abort(HfStopGate *gate, HfStopScope scope, const char *by, const char *reason)
{
    g_mutex_lock(&gate->lock);
    if (json_array_size(gate->aborted) >= HF_LIMIT_PAUSES)
        drop_oldest_abort(gate);
    add_hold(gate->aborted, new_hold("abort", scope, by, reason), scope);
    GPtrArray *cancellables = call_off(gate);
    g_mutex_unlock(&gate->lock);
    return cancel_all(cancellables);
}

/* With `keep_lock` held. */
static gboolean write_holds(HfStopGate *gate, const json_t *stopped, const json_t *paused,
                            const json_t *aborted, GError **error)
{
    return hf_key_value_set(gate->store, "stopped", stopped, error) &&
           hf_key_value_set(gate->store, "paused", paused, error) &&
           hf_key_value_set(gate->store, "aborted", aborted, error);
}

gboolean hf_stop_gate_persist(HfStopGate *gate, GError **error)
{
    g_mutex_lock(&gate->keep_lock);
    g_mutex_lock(&gate->lock);
    g_autoptr(json_t) stopped = gate->stopped ? json_deep_copy(gate->stopped) : NULL;
    g_autoptr(json_t) paused = json_deep_copy(gate->paused);
    g_autoptr(json_t) aborted = json_deep_copy(gate->aborted);
    g_mutex_unlock(&gate->lock);
    gboolean kept = write_holds(gate, stopped, paused, aborted, error);
    g_mutex_unlock(&gate->keep_lock);
    return kept;
}

/* The pauses that remain after a resume of that scope. */
static json_t *rest_of(const json_t *holds, HfStopScope scope)
{
    json_t *rest = json_array();
    gboolean all = !scope.desktop && !scope.run;
    hf_json_each (hold, holds)
        if (!all && !is_hold_of_scope(hold, scope))
            json_array_append_new(rest, json_deep_copy(hold));
    return rest;
}

/* With both locks held. */
static void end_holds_of_scope(HfStopGate *gate, HfStopScope scope, json_t *take_paused)
{
    if (!scope.desktop && !scope.run)
        g_clear_pointer(&gate->stopped, json_decref);
    json_decref(gate->paused);
    gate->paused = take_paused;
    if (!scope.run)
        hf_takeovers_forget(gate->takeovers, scope.desktop);
    g_cond_broadcast(&gate->changed);
}

gboolean hf_stop_gate_resume(HfStopGate *gate, HfStopScope scope, GError **error)
{
    gboolean all = !scope.desktop && !scope.run;
    g_mutex_lock(&gate->keep_lock);
    g_mutex_lock(&gate->lock);
    guint shut = gate->shut;
    g_autoptr(json_t) paused = rest_of(gate->paused, scope);
    g_autoptr(json_t) aborted = json_deep_copy(gate->aborted);
    g_autoptr(json_t) stopped = !all && gate->stopped ? json_deep_copy(gate->stopped) : NULL;
    gboolean held = (all && gate->stopped) ||
                    json_array_size(paused) < json_array_size(gate->paused) ||
                    (!scope.run && hf_takeovers_any(gate->takeovers, scope.desktop));
    g_mutex_unlock(&gate->lock);
    gboolean done =
        held ? write_holds(gate, stopped, paused, aborted, error)
             : hf_fail(error, HF_ERROR_CONFLICT, "nothing in that scope is stopped or paused");
    if (!held)
        hf_error_suggest(error, "see what is stopped: handfast status");
    g_mutex_lock(&gate->lock);
    gboolean overtaken = done && gate->shut != shut;
    if (done && !overtaken)
        end_holds_of_scope(gate, scope, g_steal_pointer(&paused));
    g_mutex_unlock(&gate->lock);
    g_mutex_unlock(&gate->keep_lock);
    if (!overtaken)
        return done;
    if (hf_stop_gate_persist(gate, error)) {
        hf_fail(error, HF_ERROR_CONFLICT,
                "a new stop or pause came at the same moment, so nothing was resumed");
        hf_error_suggest(error, "see who gave it: handfast status; then resume again");
    }
    return FALSE;
}

const char *hf_stop_gate_get_brake(HfStopGate *gate, const char *desktop)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&gate->lock);
    HfStopScope call = {.desktop = desktop};
    return gate->stopped ? "stop" : find_hold(gate->paused, &call) ? "pause" : "off";
}

gboolean hf_stop_gate_has_other_run(HfStopGate *gate, const char *desktop, const char *run)
{
    gboolean other = FALSE;
    GHashTableIter iter;
    gpointer key;
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&gate->lock);
    g_hash_table_iter_init(&iter, gate->passes);
    while (!other && g_hash_table_iter_next(&iter, &key, NULL)) {
        const HfStopGatePass *pass = key;
        other = g_str_equal(pass->desktop, desktop) && g_strcmp0(pass->run, run) != 0;
    }
    return other;
}

json_t *hf_stop_gate_describe(HfStopGate *gate)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&gate->lock);
    return json_pack("{s:o, s:o, s:I, s:o}", "stopped",
                     gate->stopped ? json_deep_copy(gate->stopped) : json_null(), "paused",
                     json_deep_copy(gate->paused), "aborted",
                     (json_int_t)json_array_size(gate->aborted), "takeovers",
                     hf_takeovers_describe(gate->takeovers));
}

static gboolean fail_held(const json_t *hold, GError **error)
{
    const char *kind = hf_json_string(hold, "kind", "");
    const char *by = hf_json_string(hold, "by", "?"), *reason = hf_json_string(hold, "reason", "");
    const char *colon = *reason ? ": " : "";
    if (g_str_equal(kind, "stop"))
        hf_fail(error, HF_ERROR_STOPPED, "everything was stopped by %s%s%s", by, colon, reason);
    else if (g_str_equal(kind, "abort"))
        hf_fail(error, HF_ERROR_DESKTOP_ABORTED, "this run was aborted by %s%s%s", by, colon,
                reason);
    else
        hf_fail(error, HF_ERROR_PAUSED, "paused by %s%s%s", by, colon, reason);
    if (g_str_equal(kind, "abort"))
        hf_error_suggest(error, "begin a new run with another run_id");
    hf_error_take_details(error, json_deep_copy(hold));
    return FALSE;
}

static void cancel_with_request(GCancellable *request, gpointer cancellable)
{
    g_cancellable_cancel(cancellable);
}

HfStopGatePass *hf_stop_gate_enter(HfStopGate *gate, HfStopScope call, GCancellable *cancellable,
                                   GError **error)
{
    g_mutex_lock(&gate->lock);
    const json_t *reason = find_reason(gate, &call);
    HfStopGatePass *pass = NULL;
    if (reason) {
        fail_held(reason, error);
    } else {
        pass = g_new0(HfStopGatePass, 1);
        pass->gate = gate;
        pass->desktop = g_strdup(call.desktop);
        pass->run = g_strdup(call.run);
        pass->caller = g_strdup(call.caller);
        pass->cancellable = g_cancellable_new();
        g_hash_table_add(gate->passes, pass);
    }
    g_mutex_unlock(&gate->lock);
    if (pass && cancellable) {
        pass->request = g_object_ref(cancellable);
        pass->chain = g_cancellable_connect(cancellable, G_CALLBACK(cancel_with_request),
                                            pass->cancellable, NULL);
    }
    return pass;
}

/* The details of the call's own error become `done`. An unknown outcome stays marked as such. */
static void explain_hold(const json_t *hold, GError **error)
{
    g_autoptr(json_t) former = hf_error_to_json(*error);
    json_t *done = json_object_get(json_object_get(former, "details"), "done");
    if (!done)
        done = json_object_get(former, "details");
    gboolean unknown = hf_error_code(*error) == HF_ERROR_OUTCOME_UNKNOWN;
    g_clear_error(error);
    fail_held(hold, error);
    json_t *details = json_deep_copy(hold);
    if (unknown)
        json_object_set_new(details, "outcome", json_string("unknown"));
    if (done)
        json_object_set(details, "done", done);
    hf_error_take_details(error, details);
}

void hf_stop_gate_leave(HfStopGatePass *pass, GError **error)
{
    if (!pass)
        return;
    if (pass->chain)
        g_cancellable_disconnect(pass->request, pass->chain);
    g_mutex_lock(&pass->gate->lock);
    g_hash_table_remove(pass->gate->passes, pass);
    g_mutex_unlock(&pass->gate->lock);
    if (pass->held && error && *error)
        explain_hold(pass->held, error);
    json_decref(pass->held);
    g_clear_object(&pass->request);
    g_object_unref(pass->cancellable);
    g_free(pass->desktop);
    g_free(pass->run);
    g_free(pass->caller);
    g_free(pass);
}

GCancellable *hf_stop_gate_pass_get_cancellable(HfStopGatePass *pass)
{
    return pass->cancellable;
}

gboolean hf_stop_gate_pass_check(HfStopGatePass *pass, GError **error)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&pass->gate->lock);
    return !pass->held || fail_held(pass->held, error);
}

void hf_stop_gate_set_takeover(HfStopGate *gate, gint64 quiet_us, guint times)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&gate->lock);
    hf_takeovers_configure(gate->takeovers, quiet_us, times);
    g_cond_broadcast(&gate->changed);
}

gboolean hf_stop_gate_note_person_input(HfStopGate *gate, const char *desktop, gint64 at_us,
                                        gboolean working)
{
    g_mutex_lock(&gate->lock);
    gboolean too_often = hf_takeovers_note_input(gate->takeovers, desktop, at_us, working);
    g_mutex_unlock(&gate->lock);
    return too_often && hf_stop_gate_pause(gate, (HfStopScope){.desktop = desktop}, "takeover",
                                           "a person keeps using this desktop");
}

gboolean hf_stop_gate_in_use(HfStopGate *gate, const char *desktop)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&gate->lock);
    return hf_takeovers_left(gate->takeovers, desktop) > 0;
}

gboolean hf_stop_gate_has_input(HfStopGate *gate, const char *desktop)
{
    gboolean input = FALSE;
    GHashTableIter iter;
    gpointer key;
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&gate->lock);
    g_hash_table_iter_init(&iter, gate->passes);
    while (!input && g_hash_table_iter_next(&iter, &key, NULL)) {
        const HfStopGatePass *pass = key;
        input = pass->input && g_str_equal(pass->desktop, desktop);
    }
    return input;
}

static gboolean fail_in_use(gint64 left_us, GError **error)
{
    hf_fail(error, HF_ERROR_PAUSED, "a person is using this desktop");
    hf_error_suggest(error, "try again when the person has stopped using it");
    hf_error_take_details(error, json_pack("{s:s, s:s, s:I}", "kind", "takeover", "by", "takeover",
                                           "retry_after_ms", (json_int_t)(left_us / 1000 + 1)));
    return FALSE;
}

gboolean hf_stop_gate_await_quiet(HfStopGatePass *pass, const HfDeadline *deadline, GError **error)
{
    HfStopGate *gate = pass->gate;
    gint64 left;
    HfWaiter waiter;
    hf_waiter_begin(&waiter, &gate->lock, &gate->changed, deadline->cancellable);
    g_mutex_lock(&gate->lock);
    pass->input = TRUE;
    while ((left = hf_takeovers_left(gate->takeovers, pass->desktop)) > 0 && !pass->held &&
           hf_deadline_check(deadline, NULL))
        g_cond_wait_until(&gate->changed, &gate->lock,
                          MIN(deadline->at_us, g_get_monotonic_time() + left));
    gboolean open = !pass->held || fail_held(pass->held, error);
    g_mutex_unlock(&gate->lock);
    hf_waiter_end(&waiter);
    if (!open || left <= 0)
        return open;
    gboolean cancelled = g_cancellable_is_cancelled(pass->cancellable);
    return cancelled ? hf_deadline_check(deadline, error) : fail_in_use(left, error);
}

gboolean hf_stop_gate_is_quiet(HfStopGatePass *pass)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&pass->gate->lock);
    return hf_takeovers_left(pass->gate->takeovers, pass->desktop) <= 0;
}
