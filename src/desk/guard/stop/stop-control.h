/* SPDX-License-Identifier: Apache-2.0 */
/* Stop, pause, abort and resume, with all that belongs to them: the gate, the brakes of the hands,
 * the store, the audit and a notification to the person at the desktop. */
#pragma once

#include "desk/guard/guard.h"
#include "desk/guard/stop/stop-gate.h"

/* How the guard reaches the desktops themselves; each may be NULL. */
typedef enum HfWalls {
    HF_WALLS_NONE,    /* somebody's own desktop, or what the owner has chosen */
    HF_WALLS_MISSING, /* there should be a container, but this system does not allow it */
    HF_WALLS_HOLD,
} HfWalls;

struct HfGuardHands {
    /* The holds have changed: brake every hand as hf_guard_get_brake says, and wait for it. `anew`:
     * also hands whose brake does not change, so that they forget a takeover. Returns what agents
     * have started and a stop could not end: [{desktop, running, reason}]. */
    json_t *(*brake)(gboolean anew, gpointer data);
    /* A run was held: release keys and buttons that it may hold, where no other run is active. */
    void (*release)(const char *run, gpointer data);
    void (*notify)(const char *title, const char *body, gpointer data);
    /* A person uses a desktop through a live view: agents there step back, as for real input. */
    void (*touch)(const char *desktop, gpointer data);
    /* The desktops, as in desktop.list. Owned. */
    json_t *(*desktops)(gpointer data);
    /* The shells that this caller has open on a desktop. Owned. */
    json_t *(*sessions)(const char *desktop, const HfCaller *caller, const HfDeadline *deadline,
                        gpointer data, GError **error);
    /* What keeps programs on a desktop from leaving it. */
    HfWalls (*walls)(const char *desktop, gpointer data);
    /* The settings for hands: see hand/main/brake-control.h. */
    void (*configure)(const json_t *settings, gpointer data);
};

/* Called once, on another thread, when the stop is carried out: {stopped, durable, unstopped?},
 * where `durable` says that it survives a restart, and `unstopped` is what `brake` returns. */
typedef void (*HfStopDoneFunc)(const json_t *outcome, gpointer data);

/* Returns at once; from then on no call passes. `caller` NULL: it came through no door, `by` says
 * who. */
void hf_guard_stop(HfGuard *guard, const HfCaller *caller, const char *by, const char *reason,
                   HfStopDoneFunc done, gpointer data);
/* Always holds at once. Returns whether it survives a restart. */
gboolean hf_guard_pause(HfGuard *guard, const HfCaller *caller, HfStopScope scope,
                        const char *reason);
/* The same. The owner aborts the whole run, anybody else only their own calls in it. `ret_count`:
 * how many calls were cancelled. */
gboolean hf_guard_abort(HfGuard *guard, const HfCaller *caller, const char *run, const char *reason,
                        guint *ret_count);
/* FORBIDDEN unless the owner asks. */
gboolean hf_guard_resume(HfGuard *guard, const HfCaller *caller, HfStopScope scope, GError **error);

/* A person used a desktop at `real_us`; our last input was at `injected_us` (0: never). */
void hf_guard_note_person_input(HfGuard *guard, const char *desktop, gint64 real_us,
                                gint64 injected_us);
const char *hf_guard_get_brake(HfGuard *guard, const char *desktop);
gboolean hf_guard_has_other_run(HfGuard *guard, const char *desktop, const char *run);
/* See hf_stop_gate_describe. */
json_t *hf_guard_describe_stop_state(HfGuard *guard);
/* The current settings for hands. */
json_t *hf_guard_dup_settings(HfGuard *guard);
/* Waits until all stops are carried out. */
void hf_guard_await_stops(HfGuard *guard);

/* Applies the configuration. */
void hf_stop_control_configure(HfGuard *guard, HfConfig *config);
