/* SPDX-License-Identifier: Apache-2.0 */
/* A seat is a desktop as the desk sees it: its stage, its hand, and a thread that restarts the
 * hand. */
#pragma once

#include "desk/guard/stop/stop-control.h"
#include "shared/base/deadline.h"
#include "shared/base/geometry.h"
#include "shared/tool/errand.h"

typedef struct HfSeat HfSeat;

typedef struct HfSeatOptions {
    const char *name;
    const char *display; /* the display to attach to; NULL: start a virtual one */
    HfSize size;         /* of a virtual desktop */
    double scale;
    int depth;
    gboolean private_home;   /* a HOME that begins empty and is removed with the desktop */
    const json_t *container; /* hf_container_dup_settings(); NULL: a desktop without one */
    /* Events of its hands (HfHandEvent); may be NULL. */
    void (*event)(const char *desktop, const json_t *event, gpointer data);
    /* A hand is ready, or gone (with the reason, if known); may be NULL. */
    void (*life)(const char *desktop, gboolean alive, int pid, const GError *why, gpointer data);
    gpointer data;
    const json_t *settings; /* for its hands; may be NULL */
    const char *brake;      /* the initial brake: "stop", "pause" or "off" (NULL) */
} HfSeatOptions;

/* Starts the desktop and its first hand, and waits until it is usable. */
HfSeat *hf_seat_new(const HfSeatOptions *options, const HfDeadline *deadline, GError **error);
HfSeat *hf_seat_ref(HfSeat *seat);
void hf_seat_unref(HfSeat *seat);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfSeat, hf_seat_unref)

/* Ends the hand and, on a virtual desktop, everything that runs there; waits for that. */
void hf_seat_stop(HfSeat *seat);

/* Removes the state that killed desks left of virtual desktops. Their displays are gone, so nothing
 * can be restored, and it may hold clipboard text. Only while this desk has no desktop. */
void hf_seat_remove_stale_state(void);

const char *hf_seat_get_name(const HfSeat *seat);
const char *hf_seat_get_display(const HfSeat *seat);
gboolean hf_seat_is_attached(const HfSeat *seat);
/* What keeps programs from leaving it. */
HfWalls hf_seat_get_walls(const HfSeat *seat);
json_t *hf_seat_describe(HfSeat *seat);

/* Brakes this hand and its successors: "stop", "pause" or "off". Returns when the hand has
 * confirmed, or was killed because it did not. A stop also stops programs; the result says what
 * goes on (hf_seat_programs_describe_unstopped), NULL: nothing. */
json_t *hf_seat_brake(HfSeat *seat, const char *kind);
/* Whether its brake differs from `kind`. */
gboolean hf_seat_needs_brake(HfSeat *seat, const char *kind);
void hf_seat_set_settings(HfSeat *seat, const json_t *settings);
/* Sends a message without an answer to the current or the next hand. */
void hf_seat_send_order(HfSeat *seat, json_t *take_order);

HfResult *hf_seat_call(HfSeat *seat, HfErrand *errand, GError **error);
