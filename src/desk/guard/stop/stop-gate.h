/* SPDX-License-Identifier: Apache-2.0 */
/* The gate: whether calls may go on. It is shut by a stop (for all, until the owner resumes, over
 * restarts and crashes), by pauses (of all, one desktop, one run), for aborted runs, and, for
 * input, while a person is using the desktop. Every call that is under way is registered here, so
 * that shutting the gate calls it off wherever it waits.
 *
 * A hold says why: {kind: "stop" | "pause" | "abort", by, reason, since (ms), desktop?, run?}. */
#pragma once

#include <gio/gio.h>

#include "desk/records/store/store.h"
#include "shared/base/deadline.h"

typedef struct HfStopGate HfStopGate;
typedef struct HfStopGatePass HfStopGatePass;

/* What a hold is about; both NULL: everything. */
typedef struct HfStopScope {
    const char *desktop, *run;
} HfStopScope;

/* Reads what is latched. NULL with an error when that cannot be known: then nothing may run. */
HfStopGate *hf_stop_gate_new(HfStore *store, GError **error);
void hf_stop_gate_free(HfStopGate *gate);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfStopGate, hf_stop_gate_free)

/* At once, from any thread: nothing is let through any more and what is under way is called off.
 * Writes nothing: hf_stop_gate_persist follows. A second stop changes nothing; FALSE then. */
gboolean hf_stop_gate_stop(HfStopGate *gate, const char *by, const char *reason);
/* FALSE when that was held already. */
gboolean hf_stop_gate_pause(HfStopGate *gate, HfStopScope scope, const char *by,
                            const char *reason);
/* Returns how many calls were called off. Nothing ends it: begin another run. */
guint hf_stop_gate_abort(HfStopGate *gate, const char *run, const char *by, const char *reason);
/* Makes what holds durable. */
gboolean hf_stop_gate_persist(HfStopGate *gate, GError **error);
/* Ends holds of that scope (everything: all but aborts), durably. CONFLICT when there was none, or
 * a new stop or pause came meanwhile. */
gboolean hf_stop_gate_resume(HfStopGate *gate, HfStopScope scope, GError **error);

gboolean hf_stop_gate_is_stopped(HfStopGate *gate);
/* "stop", "pause" or "off": how the hand of a desktop should be braked. */
const char *hf_stop_gate_get_brake(HfStopGate *gate, const char *desktop);
/* Whether a call of another run is under way there. */
gboolean hf_stop_gate_has_other_run(HfStopGate *gate, const char *desktop, const char *run);
/* {stopped: hold | null, paused: [hold], aborted: count, takeovers: [...]} */
json_t *hf_stop_gate_describe(HfStopGate *gate);

/* Registers a call; NULL with STOPPED, PAUSED or DESKTOP_ABORTED when it may not even begin. */
HfStopGatePass *hf_stop_gate_enter(HfStopGate *gate, const char *desktop, const char *run,
                                   GCancellable *cancellable, GError **error);
/* Unregisters it. When it was called off here, `error` (if set) becomes the reason for that, with
 * its former details as what was done. */
void hf_stop_gate_leave(HfStopGatePass *pass, GError **error);
/* What to wait and work with: cancelled with the request's own and when the call is called off. */
GCancellable *hf_stop_gate_pass_get_cancellable(HfStopGatePass *pass);
/* FALSE with the reason when it was called off. */
gboolean hf_stop_gate_pass_check(HfStopGatePass *pass, GError **error);

/* Takeover. How long a person must be quiet (0: nobody steps back for them), and how often they may
 * interrupt a piece of work before it is paused for good (0: always). */
void hf_stop_gate_set_takeover(HfStopGate *gate, gint64 quiet_us, guint times);
/* A person used the desktop; `working`: that interrupts something. TRUE when the desktop is paused
 * from now on. Times are of the monotonic clock. */
gboolean hf_stop_gate_note_person_input(HfStopGate *gate, const char *desktop, gint64 at_us,
                                        gboolean working);
/* Whether a person uses the desktop, as far as that makes input wait. */
gboolean hf_stop_gate_in_use(HfStopGate *gate, const char *desktop);
/* Whether input is under way or waiting there. */
gboolean hf_stop_gate_has_input(HfStopGate *gate, const char *desktop);
/* From here on the call is input. Waits until nobody uses the desktop; FALSE with PAUSED when the
 * deadline comes first, or with the reason when it is called off. */
gboolean hf_stop_gate_await_quiet(HfStopGatePass *pass, const HfDeadline *deadline, GError **error);
/* TRUE when nobody uses the desktop now. */
gboolean hf_stop_gate_is_quiet(HfStopGatePass *pass);
