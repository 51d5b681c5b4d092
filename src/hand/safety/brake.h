/* SPDX-License-Identifier: Apache-2.0 */
/* The brake of a desktop. While it is on, nothing may be pressed, moved or started; held keys and
 * buttons may still be released. The desk sets it (stop, pause) and clears it. The hand sets it by
 * itself when it sees the owner's stop chord or real input of a person. */
#pragma once

#include <glib.h>

typedef struct HfBrake HfBrake;

typedef enum HfBrakeKind {
    HF_BRAKE_OFF,
    HF_BRAKE_TAKEOVER, /* a person uses the desktop: blocks input until they have been quiet */
    HF_BRAKE_PAUSE,    /* blocks everything */
    HF_BRAKE_STOP,     /* blocks everything */
} HfBrakeKind;

HfBrake *hf_brake_new(void);
void hf_brake_free(HfBrake *brake);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfBrake, hf_brake_free)

/* STOP, PAUSE or OFF. Only OFF ends a takeover. */
void hf_brake_set(HfBrake *brake, HfBrakeKind kind);
/* How long a person must be quiet for a takeover to end; 0: real input does not brake. */
void hf_brake_set_quiet(HfBrake *brake, gint64 quiet_us);
/* A person did something at this time. TRUE if that starts a takeover. */
gboolean hf_brake_take_over(HfBrake *brake, gint64 at_us);

HfBrakeKind hf_brake_get(HfBrake *brake);
/* Call before starting anything. `input`: it presses or moves something, and no remote person does
 * it. Fails with STOPPED or PAUSED. */
gboolean hf_brake_check(HfBrake *brake, gboolean input, GError **error);
/* Replaces the error of a call that this kind of brake cancelled. The old details become "done". */
void hf_brake_explain(HfBrake *brake, HfBrakeKind kind, GError **error);

/* Sets the owner's stop chord, as keysyms. The default is Ctrl+Shift+Escape. */
void hf_brake_take_chord(HfBrake *brake, GArray *take_keysyms);
/* Fails with DANGEROUS_ACTION_BLOCKED if these keys, held together, contain the chord. */
gboolean hf_brake_check_keys(HfBrake *brake, const GArray *keysyms, GError **error);

/* When we last injected an event, and when a person last pressed a key or a button; 0: never. */
void hf_brake_note_injected(HfBrake *brake);
gint64 hf_brake_get_injected(HfBrake *brake);
void hf_brake_note_pressed(HfBrake *brake, gint64 at_us);
gint64 hf_brake_get_pressed(HfBrake *brake);
