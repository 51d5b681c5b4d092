/* SPDX-License-Identifier: Apache-2.0 */
/* The gate decides whether calls may go on. A stop shuts it for all calls until the owner resumes,
 * across restarts and crashes; a pause for all, one desktop or one run; an abort for one run. For
 * input it is also shut while a person uses the desktop. Every running call is registered here, so
 * that shutting the gate cancels it wherever it waits.
 *
 * A hold says why: {kind: "stop" | "pause" | "abort", by, reason, since (ms), desktop?, run?,
 * caller?}. */
#pragma once

#include <gio/gio.h>

#include "desk/records/store/store.h"
#include "shared/base/deadline.h"

typedef struct HfStopGate HfStopGate;
typedef struct HfStopGatePass HfStopGatePass;

/* The scope of a hold; all NULL: everything. Also where a call belongs. */
typedef struct HfStopScope {
    const char *desktop, *run;
    const char *caller; /* hf_caller_dup_key */
} HfStopScope;

/* Reads the stored holds. NULL with an error when they cannot be read: then nothing may run. */
HfStopGate *hf_stop_gate_new(HfStore *store, GError **error);
void hf_stop_gate_free(HfStopGate *gate);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfStopGate, hf_stop_gate_free)

/* Shuts the gate at once and cancels running calls, from any thread. Writes nothing:
 * hf_stop_gate_persist follows. FALSE when it was stopped already. */
gboolean hf_stop_gate_stop(HfStopGate *gate, const char *by, const char *reason);
/* FALSE when that scope was paused already. */
gboolean hf_stop_gate_pause(HfStopGate *gate, HfStopScope scope, const char *by,
                            const char *reason);
/* Returns how many calls were cancelled. Permanent: the caller must begin another run. The scope
 * names the run and, when a client aborts, that client: calls of others under the same name go on.
 */
guint hf_stop_gate_abort(HfStopGate *gate, HfStopScope scope, const char *by, const char *reason);
/* Makes the holds durable. */
gboolean hf_stop_gate_persist(HfStopGate *gate, GError **error);
/* Ends the holds of that scope (everything: all but aborts), durably. CONFLICT when there is none,
 * or a new stop or pause came meanwhile. */
gboolean hf_stop_gate_resume(HfStopGate *gate, HfStopScope scope, GError **error);

/* "stop", "pause" or "off": the brake for the hand of a desktop. */
const char *hf_stop_gate_get_brake(HfStopGate *gate, const char *desktop);
/* Whether another run has a call on that desktop. */
gboolean hf_stop_gate_has_other_run(HfStopGate *gate, const char *desktop, const char *run);
/* {stopped: hold | null, paused: [hold], aborted: count, takeovers: [...]} */
json_t *hf_stop_gate_describe(HfStopGate *gate);

/* Registers a call; NULL with STOPPED, PAUSED or DESKTOP_ABORTED when it may not even begin. */
HfStopGatePass *hf_stop_gate_enter(HfStopGate *gate, HfStopScope call, GCancellable *cancellable,
                                   GError **error);
/* Unregisters it. If a hold has cancelled it, `error` (if set) becomes that hold, with its former
 * details as `done`. */
void hf_stop_gate_leave(HfStopGatePass *pass, GError **error);
/* Cancelled with the request's own cancellable and by a hold. */
GCancellable *hf_stop_gate_pass_get_cancellable(HfStopGatePass *pass);
/* FALSE with the reason when a hold has cancelled it. */
gboolean hf_stop_gate_pass_check(HfStopGatePass *pass, GError **error);

/* Takeover: how long a person must be quiet (0: takeover is off), and after how many interruptions
 * the desktop is paused until the owner resumes (0: never). */
void hf_stop_gate_set_takeover(HfStopGate *gate, gint64 quiet_us, guint times);
/* A person used the desktop; `working`: that interrupted something. TRUE when the desktop is now
 * paused. Monotonic time. */
gboolean hf_stop_gate_note_person_input(HfStopGate *gate, const char *desktop, gint64 at_us,
                                        gboolean working);
/* Whether input must wait because a person uses the desktop. */
gboolean hf_stop_gate_in_use(HfStopGate *gate, const char *desktop);
/* Whether input is running or waiting there. */
gboolean hf_stop_gate_has_input(HfStopGate *gate, const char *desktop);
/* Marks the call as input and waits until nobody uses the desktop. FALSE with PAUSED when the
 * deadline comes first, or with the hold that cancelled it. */
gboolean hf_stop_gate_await_quiet(HfStopGatePass *pass, const HfDeadline *deadline, GError **error);

gboolean hf_stop_gate_is_quiet(HfStopGatePass *pass);
