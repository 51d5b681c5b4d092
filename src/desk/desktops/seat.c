/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps a hand on a desktop. A hand that dies is replaced at once; one that keeps dying, after 5,
 * 15 and 60 seconds. Meanwhile calls wait for a hand that is starting, and are refused with a retry
 * time when it takes longer. */
#include "desk/desktops/seat.h"

#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

#include "desk/desktops/desktops-limits.h"
#include "desk/desktops/hand-link.h"
#include "desk/desktops/seat-programs.h"
#include "desk/desktops/seat-walls.h"
#include "desk/desktops/stage-link.h"
#include "shared/base/error.h"
#include "shared/base/paths.h"
#include "shared/base/remove-tree.h"
#include "shared/base/waiter.h"
#include "shared/wire/proxy-protocol.h"

/* A hand that lived this long does not count as one that keeps dying. */
#define STEADY_US (60 * G_USEC_PER_SEC)

/* How many messages wait for the next hand; further ones are dropped. */
#define ORDERS_KEPT 16

static const gint64 restart_delay_s[] = {0, 5, 15, 60};

typedef enum SeatState {
    SEAT_STARTING, /* a hand is starting */
    SEAT_READY,
    SEAT_WAITING, /* until `restart_at`, because hands keep dying */
    SEAT_FAILED,  /* the display is gone */
    SEAT_STOPPED,
} SeatState;

static const char *const state_names[] = {
    [SEAT_STARTING] = "starting", [SEAT_READY] = "ready",     [SEAT_WAITING] = "restarting",
    [SEAT_FAILED] = "failed",     [SEAT_STOPPED] = "stopped",
};

struct HfSeat {
    gatomicrefcount refs;
    char *name;
    char *display;
    json_t *environment; /* for programs on the desktop */
    gboolean attached;
    HfSize size;
    double scale;
    int depth;
    char *state_dir;  /* where hands record what must be restored */
    json_t *walls;    /* virtual: what its container holds back, or why there is none */
    json_t *programs; /* attached: where programs run */
    pid_t stage_pid;
    void (*event)(const char *desktop, const json_t *event, gpointer data);
    void (*life)(const char *desktop, gboolean alive, int pid, const GError *why, gpointer data);
    gpointer event_data;
    HfStageLink *stage;
    HfProxyLink *proxy;  /* its way to the network; NULL: another, or none */
    gboolean stage_gone; /* used by the supervisor only */
    GThread *supervisor;
    GMutex lock; /* guards what follows */
    GCond changed;
    SeatState state;
    gboolean stopping;
    gint64 restart_at;
    guint restarts;
    HfHandLink *hand;   /* while there is one */
    int hand_pid;       /* as this machine knows it */
    const char *brake;  /* a literal */
    gboolean frozen;    /* used by hf_seat_brake() only, which is never called twice at a time */
    gboolean unstopped; /* a stop has left programs running: the next one tries again */
    json_t *settings;
    gboolean watching;      /* a hand has begun to watch for the person, or could not */
    json_t *hotkey_problem; /* why the stop hotkey does not work, or NULL */
    json_t *orders;         /* for the next hand */
    GError *failure;        /* why the last hand could not start */
};

static gboolean is_contained(const HfSeat *seat)
{
    return hf_json_bool(seat->walls, "contained", FALSE);
}

HfSeat *hf_seat_ref(HfSeat *seat)
{
    g_atomic_ref_count_inc(&seat->refs);
    return seat;
}

void hf_seat_unref(HfSeat *seat)
{
    if (!seat || !g_atomic_ref_count_dec(&seat->refs))
        return;
    g_clear_error(&seat->failure);
    json_decref(seat->settings);
    json_decref(seat->orders);
    json_decref(seat->hotkey_problem);
    g_mutex_clear(&seat->lock);
    g_cond_clear(&seat->changed);
    g_free(seat->name);
    json_decref(seat->environment);
    g_free(seat->display);
    json_decref(seat->walls);
    json_decref(seat->programs);
    g_free(seat->state_dir);
    g_free(seat);
}

const char *hf_seat_get_name(const HfSeat *seat)
{
    return seat->name;
}

static void set_state(HfSeat *seat, SeatState state)
{
    seat->state = state;
    g_cond_broadcast(&seat->changed);
}

/* Set before the hand is ready, so that stopping can hang up on one that never gets ready. */
static void set_hand(HfSeat *seat, HfHandLink *hand)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&seat->lock);
    seat->hand = hand;
    if (hand && seat->stopping)
        hf_hand_link_hang_up(hand);
}

/* Of the configuration as it is now, and the one for exchange; NULL before the configuration was
 * set. */
static json_t *dup_allowed_directories(HfSeat *seat)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&seat->lock);
    json_t *directories = json_deep_copy(json_object_get(seat->settings, "directories"));
    json_array_append(directories, json_object_get(seat->walls, "exchange"));
    return directories;
}

/* A new hand, ready for calls; NULL with the reason. */
static HfHandLink *start_seat_hand(HfSeat *seat, GError **error)
{
    g_autofree char *scale = g_strdup_printf("%g", seat->attached ? 0 : seat->scale);
    g_autofree char *files = hf_seat_ensure_files_dir(seat->name, is_contained(seat));
    g_autofree char *port = g_strdup_printf("%d", seat->proxy ? HF_PROXY_PORT : 0);
    gboolean namespace = hf_json_bool(seat->programs, "namespace", FALSE);
    const char *arguments[] = {"hand",
                               "--fd",
                               "3",
                               "--state-dir",
                               seat->state_dir,
                               "--scale",
                               scale,
                               "--home",
                               g_get_home_dir(),
                               "--proxy-port",
                               port,
                               namespace ? "--namespace" : NULL,
                               NULL};
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
        hf_fail(error, HF_ERROR_INTERNAL, "cannot create a socket for the hand: %s",
                g_strerror(errno));
        return NULL;
    }
    g_autoptr(HfHandLink) hand = hf_hand_link_new(ends[0], error);
    g_autoptr(json_t) directories = dup_allowed_directories(seat);
    if (!hand || !hf_hand_link_send_files(hand, files, directories, error)) {
        close(ends[1]);
        return NULL;
    }
    set_hand(seat, hand);
    /* Only a stage that has ended refuses, and its display is gone. */
    seat->stage_gone = !hf_stage_start_hand(seat->stage, ends[1], arguments, error);
    if (!seat->stage_gone && hf_hand_link_wait_hello(hand, error))
        return g_steal_pointer(&hand);
    set_hand(seat, NULL);
    return NULL;
}

static void on_seat_hand_event(const json_t *event, gpointer data)
{
    HfSeat *seat = data;
    if (g_str_equal(hf_json_string(event, "event", ""), "hotkey")) {
        g_mutex_lock(&seat->lock);
        json_decref(seat->hotkey_problem);
        const json_t *problem = json_object_get(event, "problem");
        seat->hotkey_problem = json_is_object(problem) ? json_deep_copy(problem) : NULL;
        seat->watching = TRUE;
        g_cond_broadcast(&seat->changed);
        g_mutex_unlock(&seat->lock);
    }
    if (seat->event)
        seat->event(seat->name, event, seat->event_data);
}

/* With the lock held: sends a new hand what it must know before its first call. It reads from the
 * start, so this does not block. */
static void brief_hand(HfSeat *seat, HfHandLink *hand)
{
    json_t *settings = seat->settings ? json_copy(seat->settings) : json_object();
    json_object_set_new(settings, "type", json_string("settings"));
    hf_hand_link_send_order(hand, settings, NULL);
    if (!g_str_equal(seat->brake, "off"))
        hf_hand_link_send_order(hand, json_pack("{s:s, s:s}", "type", "brake", "kind", seat->brake),
                                NULL);
    hf_json_each (order, seat->orders)
        hf_hand_link_send_order(hand, json_incref(order), NULL);
    json_array_clear(seat->orders);
}

/* A hand that ends with its desktop is not reported as crashed. */
static void report_hand_lifecycle(HfSeat *seat, gboolean alive, int pid, const GError *why)
{
    g_mutex_lock(&seat->lock);
    gboolean stopping = seat->stopping;
    g_mutex_unlock(&seat->lock);
    if (seat->life && !stopping)
        seat->life(seat->name, alive, pid, why, seat->event_data);
}

/* Lets callers use the hand, and reads its messages until it is gone. */
static void serve_hand(HfSeat *seat, HfHandLink *hand)
{
    int pid = (int)hf_stage_find_process(seat->stage, hf_hand_link_get_pid(hand));
    report_hand_lifecycle(seat, TRUE, pid, NULL);
    g_mutex_lock(&seat->lock);
    g_clear_error(&seat->failure);
    brief_hand(seat, hand);
    seat->hand_pid = pid;
    set_state(seat, SEAT_READY);
    g_mutex_unlock(&seat->lock);
    hf_hand_link_run(hand, on_seat_hand_event, seat);
    report_hand_lifecycle(seat, FALSE, pid, NULL);
    g_mutex_lock(&seat->lock);
    seat->hand = NULL;
    set_state(seat, SEAT_STARTING);
    g_mutex_unlock(&seat->lock);
}

/* Backs off after a death. FALSE when the seat ends. */
static gboolean wait_for_restart(HfSeat *seat, guint deaths)
{
    gint64 delay =
        seat->stage_gone ? 0 : restart_delay_s[MIN(deaths, G_N_ELEMENTS(restart_delay_s) - 1)];
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&seat->lock);
    seat->restarts++;
    seat->restart_at = g_get_monotonic_time() + delay * G_USEC_PER_SEC;
    if (delay > 0 && !seat->stopping)
        set_state(seat, SEAT_WAITING);
    while (!seat->stopping && g_get_monotonic_time() < seat->restart_at)
        g_cond_wait_until(&seat->changed, &seat->lock, seat->restart_at);
    gboolean go_on = !seat->stopping && !seat->stage_gone;
    set_state(seat, go_on ? SEAT_STARTING : seat->stopping ? SEAT_STOPPED : SEAT_FAILED);
    return go_on;
}

static gpointer supervise_hand(gpointer data)
{
    g_autoptr(HfSeat) seat = data;
    guint deaths = 0;
    do {
        g_autoptr(GError) error = NULL;
        gint64 started = g_get_monotonic_time();
        g_autoptr(HfHandLink) hand = start_seat_hand(seat, &error);
        if (hand) {
            serve_hand(seat, hand);
        } else {
            report_hand_lifecycle(seat, FALSE, 0, error);
            g_mutex_lock(&seat->lock);
            g_clear_error(&seat->failure);
            seat->failure = g_steal_pointer(&error);
            g_cond_broadcast(&seat->changed);
            g_mutex_unlock(&seat->lock);
        }
        /* A hand that lived long starts the back-off over. So does one that was not ready in time:
         * the display may answer at any moment, and starting has already taken long. */
        gint64 long_us = hand ? STEADY_US : HF_LIMIT_HAND_START_MS * (gint64)1000;
        if (g_get_monotonic_time() - started >= long_us)
            deaths = 0;
    } while (wait_for_restart(seat, deaths++));
    return NULL;
}

static void fail_unusable(HfSeat *seat, GError **error)
{
    const char *reason = seat->failure ? seat->failure->message : "its hand process keeps crashing";
    if (seat->state == SEAT_WAITING) {
        gint64 left = MAX(0, seat->restart_at - g_get_monotonic_time()) / 1000;
        hf_fail(error, HF_ERROR_DESKTOP_UNAVAILABLE, "the desktop '%s' cannot be used: %s",
                seat->name, reason);
        hf_error_take_details(error, json_pack("{s:I}", "retry_in_ms", (json_int_t)left));
    } else {
        /* It does not come back by itself, so the code must not invite to try again. */
        hf_fail(error, HF_ERROR_DESKTOP_NOT_FOUND, "the display of desktop '%s' is gone",
                seat->name);
        hf_error_suggest(error,
                         "do not try again: use another desktop, or ask the owner to make it anew "
                         "(handfast desktop rm %s; handfast desktop new %s)",
                         seat->name, seat->name);
    }
}

/* The hand, after waiting for one that is starting. */
static HfHandLink *take_hand(HfSeat *seat, const HfDeadline *deadline, GError **error)
{
    HfWaiter waiter;
    hf_waiter_begin(&waiter, &seat->lock, &seat->changed, deadline->cancellable);
    g_mutex_lock(&seat->lock);
    while (seat->state == SEAT_STARTING && hf_deadline_check(deadline, NULL))
        g_cond_wait_until(&seat->changed, &seat->lock, deadline->at_us);
    HfHandLink *hand = seat->state == SEAT_READY ? hf_hand_link_ref(seat->hand) : NULL;
    if (!hand && seat->state != SEAT_STARTING)
        fail_unusable(seat, error);
    g_mutex_unlock(&seat->lock);
    hf_waiter_end(&waiter);
    if (!hand && error && !*error && hf_deadline_check(deadline, error))
        hf_fail(error, HF_ERROR_DESKTOP_UNAVAILABLE, "the desktop '%s' is still starting",
                seat->name);
    return hand;
}

/* The stage kills whichever hand it has, so this must still be the current one. */
static void end_hung_hand(HfSeat *seat, HfHandLink *hand)
{
    g_mutex_lock(&seat->lock);
    if (!seat->stopping && seat->hand == hand)
        hf_stage_kill_hand(seat->stage, NULL);
    g_mutex_unlock(&seat->lock);
    hf_hand_link_hang_up(hand);
}

static HfHandLink *find_hand(HfSeat *seat)
{
    return seat->state == SEAT_READY && seat->hand ? hf_hand_link_ref(seat->hand) : NULL;
}

/* What an agent has started may go on by itself when its hand has stopped. A virtual desktop whose
 * programs cannot be frozen is ended; for somebody's own desktop the result says what still runs.
 */
static json_t *freeze_programs(HfSeat *seat, gboolean frozen)
{
    guint running = 0;
    if (seat->frozen == frozen && !seat->unstopped)
        return NULL;
    seat->frozen = frozen;
    gboolean answered = hf_stage_freeze(seat->stage, frozen, &running);
    gboolean failed = frozen && (!answered || running > 0);
    if (failed && !seat->attached)
        hf_stage_kill(seat->stage);
    g_mutex_lock(&seat->lock);
    seat->unstopped = failed && seat->attached;
    g_mutex_unlock(&seat->lock);
    return seat->unstopped ? hf_seat_programs_describe_unstopped(seat->name, answered, running)
                           : NULL;
}

json_t *hf_seat_brake(HfSeat *seat, const char *kind)
{
    g_mutex_lock(&seat->lock);
    seat->brake = g_intern_string(kind);
    g_autoptr(HfHandLink) hand = find_hand(seat);
    g_mutex_unlock(&seat->lock);
    if (hand && !hf_hand_link_brake(hand, kind))
        end_hung_hand(seat, hand);
    gboolean stop = g_str_equal(kind, "stop");
    json_t *unstopped = freeze_programs(seat, stop);
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&seat->lock);
    if (seat->proxy)
        hf_proxy_link_set_stopped(seat->proxy, stop);
    return unstopped;
}

gboolean hf_seat_needs_brake(HfSeat *seat, const char *kind)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&seat->lock);
    return !g_str_equal(seat->brake, kind) || seat->unstopped;
}

void hf_seat_set_settings(HfSeat *seat, const json_t *settings)
{
    g_mutex_lock(&seat->lock);
    json_decref(seat->settings);
    seat->settings = json_deep_copy(settings);
    g_autoptr(HfHandLink) hand = find_hand(seat);
    if (seat->proxy)
        hf_proxy_link_set_lists(seat->proxy, json_object_get(settings, "domains"));
    g_mutex_unlock(&seat->lock);
    json_t *order = json_deep_copy(settings);
    json_object_set_new(order, "type", json_string("settings"));
    if (hand)
        hf_hand_link_send_order(hand, order, NULL);
    else
        json_decref(order);
}

void hf_seat_send_order(HfSeat *seat, json_t *take_order)
{
    g_mutex_lock(&seat->lock);
    g_autoptr(HfHandLink) hand = find_hand(seat);
    if (!hand && json_array_size(seat->orders) < ORDERS_KEPT)
        json_array_append(seat->orders, take_order);
    g_mutex_unlock(&seat->lock);
    if (hand)
        hf_hand_link_send_order(hand, json_incref(take_order), NULL);
    json_decref(take_order);
}

HfResult *hf_seat_call(HfSeat *seat, HfErrand *errand, GError **error)
{
    g_autoptr(HfHandLink) hand = take_hand(seat, errand->deadline, error);
    if (!hand)
        return NULL;
    HfHandState state = HF_HAND_FINE;
    HfResult *result = hf_hand_link_call(hand, errand, &state, error);
    if (state == HF_HAND_HUNG)
        end_hung_hand(seat, hand);
    return result;
}

static gboolean is_starting(const HfSeat *seat)
{
    return (seat->state == SEAT_STARTING && !seat->failure) ||
           (seat->state == SEAT_READY && !seat->watching);
}

/* Nobody may use a desktop before its owner can stop that with the hotkey. */
static gboolean wait_until_usable(HfSeat *seat, const HfDeadline *deadline, GError **error)
{
    HfWaiter waiter;
    hf_waiter_begin(&waiter, &seat->lock, &seat->changed, deadline->cancellable);
    g_mutex_lock(&seat->lock);
    while (is_starting(seat) && hf_deadline_check(deadline, NULL))
        g_cond_wait_until(&seat->changed, &seat->lock, deadline->at_us);
    gboolean usable = seat->state == SEAT_READY;
    g_autoptr(GError) failure = seat->failure ? g_error_copy(seat->failure) : NULL;
    g_mutex_unlock(&seat->lock);
    hf_waiter_end(&waiter);
    if (usable)
        return TRUE;
    if (failure)
        g_propagate_error(error, g_steal_pointer(&failure));
    else if (hf_deadline_check(deadline, error))
        hf_fail(error, HF_ERROR_DESKTOP_UNAVAILABLE, "the display of desktop '%s' is gone",
                seat->name);
    return FALSE;
}

/* One per display, so that the next hand there finds what the last one left, whatever the desktop's
 * name. */
static char *ensure_state_dir(const HfSeatOptions *options, GError **error)
{
    g_autofree char *runtime = hf_path_dup_runtime();
    g_autofree char *all = g_build_filename(runtime, "state", NULL);
    g_autofree char *own = options->display ? g_strconcat("display", options->display, NULL)
                                            : g_strconcat("desktop-", options->name, NULL);
    g_autofree char *path = g_build_filename(all, g_strdelimit(own, "/", '_'), NULL);
    if (!hf_path_ensure_private(all, error) || !hf_path_ensure_private(path, error))
        return NULL;
    return g_steal_pointer(&path);
}

void hf_seat_remove_stale_state(void)
{
    g_autofree char *runtime = hf_path_dup_runtime();
    g_autofree char *all = g_build_filename(runtime, "state", NULL);
    g_autoptr(GDir) dir = g_dir_open(all, 0, NULL);
    const char *name;
    while (dir && (name = g_dir_read_name(dir))) {
        g_autofree char *path = g_build_filename(all, name, NULL);
        if (g_str_has_prefix(name, "desktop-"))
            hf_remove_tree(path);
    }
}

HfSeat *hf_seat_new(const HfSeatOptions *options, const HfDeadline *deadline, GError **error)
{
    g_autofree char *state_dir = ensure_state_dir(options, error);
    json_t *walls = NULL;
    HfProxyLink *proxy = NULL;
    HfStageLink *stage =
        state_dir ? hf_seat_start_stage(options, state_dir, &proxy, &walls, deadline, error) : NULL;
    if (!stage)
        return NULL;
    HfSeat *seat = g_new0(HfSeat, 1);
    seat->walls = walls;
    seat->proxy = proxy;
    g_atomic_ref_count_init(&seat->refs);
    seat->name = g_strdup(options->name);
    seat->display = g_strdup(hf_stage_get_display(stage));
    seat->environment = json_incref((json_t *)hf_stage_get_environment(stage));
    seat->state_dir = g_steal_pointer(&state_dir);
    seat->attached = options->display != NULL;
    seat->stage_pid = hf_stage_get_pid(stage);
    if (seat->attached)
        seat->programs = hf_seat_programs_describe(
            stage, hf_json_bool(options->container, "own_desktop", FALSE));
    seat->size = options->size;
    seat->scale = options->scale;
    seat->depth = options->depth;
    seat->stage = stage;
    seat->event = options->event;
    seat->life = options->life;
    seat->event_data = options->data;
    seat->settings = options->settings ? json_deep_copy(options->settings) : NULL;
    seat->brake = g_intern_string(options->brake ? options->brake : "off");
    seat->orders = json_array();
    g_mutex_init(&seat->lock);
    g_cond_init(&seat->changed);
    seat->supervisor = g_thread_new("seat", supervise_hand, hf_seat_ref(seat));
    if (wait_until_usable(seat, deadline, error))
        return seat;
    hf_seat_stop(seat);
    hf_seat_unref(seat);
    return NULL;
}

void hf_seat_stop(HfSeat *seat)
{
    g_mutex_lock(&seat->lock);
    seat->stopping = TRUE;
    if (seat->hand)
        hf_hand_link_hang_up(seat->hand);
    g_cond_broadcast(&seat->changed);
    g_mutex_unlock(&seat->lock);
    g_thread_join(g_steal_pointer(&seat->supervisor));
    hf_stage_free(g_steal_pointer(&seat->stage));
    g_mutex_lock(&seat->lock);
    HfProxyLink *proxy = g_steal_pointer(&seat->proxy);
    g_mutex_unlock(&seat->lock);
    hf_proxy_link_free(proxy);
    /* With a virtual display, there is nothing left to restore. */
    if (!seat->attached)
        hf_remove_tree(seat->state_dir);
    if (json_object_get(seat->walls, "exchange"))
        hf_seat_remove_empty_exchange(seat->name);
}

const char *hf_seat_get_display(const HfSeat *seat)
{
    return seat->display;
}

gboolean hf_seat_is_attached(const HfSeat *seat)
{
    return seat->attached;
}

HfWalls hf_seat_get_walls(const HfSeat *seat)
{
    return seat->attached ? hf_seat_programs_judge(seat->programs)
                          : hf_seat_judge_walls(seat->walls);
}

static void describe_proxy(HfProxyLink *proxy, json_t *walls)
{
    json_object_set_new(walls, "refused", hf_proxy_link_dup_refused(proxy));
    const char *problem = hf_proxy_link_find_problem(proxy);
    if (problem)
        json_object_set_new(walls, "network_problem", json_string(problem));
}

json_t *hf_seat_describe(HfSeat *seat)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&seat->lock);
    json_t *json = json_pack("{s:s, s:s, s:s, s:s, s:i, s:i}", "name", seat->name, "kind",
                             seat->attached ? "attached" : "virtual", "state",
                             state_names[seat->state], "display", seat->display, "restarts",
                             (int)seat->restarts, "hand_pid", seat->hand ? seat->hand_pid : 0);
    json_object_set(json, "environment", seat->environment);
    if (!seat->attached) {
        json_object_set_new(json, "width", json_integer(seat->size.width));
        json_object_set_new(json, "height", json_integer(seat->size.height));
        json_object_set_new(json, "scale", json_real(seat->scale));
        json_object_set_new(json, "depth", json_integer(seat->depth));
        json_object_set_new(json, "walls", json_copy(seat->walls));
    } else {
        json_t *programs = json_copy(seat->programs);
        json_object_set_new(
            programs, "running",
            hf_seat_programs_list(programs, seat->stopping ? 0 : seat->stage_pid, seat->hand_pid));
        json_object_set_new(json, "programs", programs);
    }
    if (seat->proxy)
        describe_proxy(seat->proxy, json_object_get(json, "walls"));
    if (!g_str_equal(seat->brake, "off"))
        json_object_set_new(json, "held", json_string(seat->brake));
    if (seat->hotkey_problem)
        json_object_set_new(json, "hotkey_problem", json_deep_copy(seat->hotkey_problem));
    if (seat->failure)
        json_object_set_new(json, "failure", hf_json_text(seat->failure->message));
    return json;
}
