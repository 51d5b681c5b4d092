/* SPDX-License-Identifier: Apache-2.0 */
/* A desktop as the desk sees it: its stage, its hand, and the thread that keeps a hand alive. */
#pragma once

#include "shared/base/deadline.h"
#include "shared/base/geometry.h"
#include "shared/tool/errand.h"

typedef struct HfSeat HfSeat;

typedef struct HfSeatOptions {
    const char *name;
    const char *display; /* an existing display to attach to; NULL: start a virtual one */
    HfSize size;         /* of a virtual one */
    double scale;
    int depth;
    gboolean private_home; /* a HOME of its own instead of the user's */
    /* What its hands tell by themselves (HfHandEvent), with the desktop's name; may be NULL. */
    void (*event)(const char *desktop, const json_t *event, gpointer data);
    /* A hand of its own is ready, or is there no more (with what is known of why); may be NULL. */
    void (*life)(const char *desktop, gboolean alive, int pid, const GError *why, gpointer data);
    gpointer data;
    const json_t *settings; /* the order `settings` for its hands; may be NULL */
    const char *brake;      /* "stop", "pause" or "off" (NULL): how its hands begin */
} HfSeatOptions;

/* Starts the desktop and its first hand; waits until it can be used. */
HfSeat *hf_seat_new(const HfSeatOptions *options, const HfDeadline *deadline, GError **error);
HfSeat *hf_seat_ref(HfSeat *seat);
void hf_seat_unref(HfSeat *seat);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfSeat, hf_seat_unref)

/* Ends the hand and everything that runs on a virtual desktop; waits for it. */
void hf_seat_stop(HfSeat *seat);

/* Removes what killed desks left of virtual desktops: their displays are gone, so nothing can be
 * put back, and it may hold what was on their clipboards. Only while this desk has none. */
void hf_seat_remove_stale_state(void);

const char *hf_seat_get_name(const HfSeat *seat);
const char *hf_seat_get_display(const HfSeat *seat);
gboolean hf_seat_is_attached(const HfSeat *seat);
json_t *hf_seat_describe(HfSeat *seat);

/* From now on, for this hand and those after it: "stop", "pause" or "off". Returns when the hand
 * has confirmed it, or was killed because it did not. */
void hf_seat_brake(HfSeat *seat, const char *kind);
/* Whether its hands are braked in another way now. */
gboolean hf_seat_needs_brake(HfSeat *seat, const char *kind);
void hf_seat_set_settings(HfSeat *seat, const json_t *settings);
/* An order without an answer, to the hand that is there now or is the next. */
void hf_seat_send_order(HfSeat *seat, json_t *take_order);

HfResult *hf_seat_call(HfSeat *seat, HfErrand *errand, GError **error);
