/* SPDX-License-Identifier: Apache-2.0 */
/* Shutting and opening the gate, with everything that belongs to it: hands brake, it is durable, it
 * is in the audit, the person in front of the desktop is told. */
#pragma once

#include "desk/guard/guard.h"
#include "desk/guard/stop/stop-gate.h"

/* How the guard reaches the desktops themselves; each may be NULL. */
struct HfGuardHands {
    /* What holds has changed: brake every hand as hf_guard_get_brake says, and wait for it. `anew`:
     * also those that are told nothing new, so that a hand forgets a takeover. */
    void (*brake)(gboolean anew, gpointer data);
    /* A run was held: let go of what it may hold, where no other run is at work. */
    void (*release)(const char *run, gpointer data);
    void (*notify)(const char *title, const char *body, gpointer data);
    /* A person touches a desktop from afar: what agents do there steps back, as for real input. */
    void (*touch)(const char *desktop, gpointer data);
    /* The desktops, as desktop.list tells them. Owned. */
    json_t *(*desktops)(gpointer data);
    /* Shells that this caller has open on a desktop, each an object that says what a planner needs.
     * Owned. */
    json_t *(*sessions)(const char *desktop, const HfCaller *caller, const HfDeadline *deadline,
                        gpointer data, GError **error);
    /* What hands must know of the agreement: see hand/main/brake-control.h. */
    void (*configure)(const json_t *settings, gpointer data);
};

/* Called once, on another thread, when all of it is done; `durable`: it will outlive the desk. */
typedef void (*HfStopDoneFunc)(gboolean durable, gpointer data);

/* Returns at once; from then on nothing is let through. `caller` NULL: nobody at a door, `by` says
 * who. */
void hf_guard_stop(HfGuard *guard, const HfCaller *caller, const char *by, const char *reason,
                   HfStopDoneFunc done, gpointer data);
gboolean hf_guard_pause(HfGuard *guard, const HfCaller *caller, HfStopScope scope,
                        const char *reason, GError **error);
/* Returns how many calls were called off. */
gboolean hf_guard_abort(HfGuard *guard, const HfCaller *caller, const char *run, const char *reason,
                        guint *ret_count, GError **error);
/* FORBIDDEN unless the owner asks. */
gboolean hf_guard_resume(HfGuard *guard, const HfCaller *caller, HfStopScope scope, GError **error);

/* A person used a desktop at that time; ours was last injected then (0: never). */
void hf_guard_note_person_input(HfGuard *guard, const char *desktop, gint64 real_us,
                                gint64 injected_us);
const char *hf_guard_get_brake(HfGuard *guard, const char *desktop);
gboolean hf_guard_has_other_run(HfGuard *guard, const char *desktop, const char *run);
/* See hf_stop_gate_describe. */
json_t *hf_guard_describe_stop_state(HfGuard *guard);
/* What hands must know of the agreement that holds now. */
json_t *hf_guard_dup_settings(HfGuard *guard);
/* Waits until no stop is being carried out any more. */
void hf_guard_await_stops(HfGuard *guard);

/* The guard's own: takes over what the agreement says. */
void hf_stop_control_configure(HfGuard *guard, HfConfig *config);
