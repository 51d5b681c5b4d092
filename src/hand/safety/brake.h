/* SPDX-License-Identifier: Apache-2.0 */
/* The brake of a desktop: while it is on, nothing is pressed, moved or begun there; what is held
 * may still be let go. The desk puts it on and takes it off (stop, pause); the hand itself puts it
 * on, without asking anyone, when the owner's stop chord or a person's own hands are seen. */
#pragma once

#include <glib.h>

typedef struct HfBrake HfBrake;

typedef enum HfBrakeKind {
    HF_BRAKE_OFF,
    HF_BRAKE_TAKEOVER, /* a person's hands: input only, until they have been quiet for a while */
    HF_BRAKE_PAUSE,    /* everything */
    HF_BRAKE_STOP,     /* everything */
} HfBrakeKind;

HfBrake *hf_brake_new(void);
void hf_brake_free(HfBrake *brake);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfBrake, hf_brake_free)

/* STOP, PAUSE or OFF. A takeover is left as it is, except by OFF, which ends it. */
void hf_brake_set(HfBrake *brake, HfBrakeKind kind);
/* How long a person must have been quiet; 0: real input does not brake. */
void hf_brake_set_quiet(HfBrake *brake, gint64 quiet_us);
/* A person did something at this time. TRUE when that put the brake on, FALSE when it was on for
 * that reason already or does not brake. */
gboolean hf_brake_take_over(HfBrake *brake, gint64 at_us);

HfBrakeKind hf_brake_get(HfBrake *brake);
/* Before anything is begun (`input`: it would press or move something, and no person does it from
 * afar). FALSE with STOPPED or PAUSED and why. */
gboolean hf_brake_check(HfBrake *brake, gboolean input, GError **error);
/* In place of the error of something that was called off by this kind of brake: keeps its details
 * as what was done. */
void hf_brake_explain(HfBrake *brake, HfBrakeKind kind, GError **error);

/* The owner's stop chord, as keysyms; Ctrl+Shift+Escape until it is set. */
void hf_brake_take_chord(HfBrake *brake, GArray *take_keysyms);
/* DANGEROUS_ACTION_BLOCKED when the chord would be among these keys that are down together. */
gboolean hf_brake_check_keys(HfBrake *brake, const GArray *keysyms, GError **error);

/* When an event of ours was last injected, a person's own was last seen, and a person last pressed
 * a key or a button; 0: never. */
void hf_brake_note_injected(HfBrake *brake);
gint64 hf_brake_get_injected(HfBrake *brake);
gint64 hf_brake_get_real(HfBrake *brake);
void hf_brake_note_pressed(HfBrake *brake, gint64 at_us);
gint64 hf_brake_get_pressed(HfBrake *brake);
