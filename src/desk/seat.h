/* A desktop as the desk sees it: its stage, its hand, and the thread that keeps a hand alive. */
#pragma once

#include "base/deadline.h"
#include "base/geometry.h"
#include "tool/errand.h"

typedef struct HfSeat HfSeat;

typedef struct HfSeatOptions {
    const char *name;
    const char *display; /* an existing display to attach to; NULL: start a virtual one */
    HfSize size;         /* of a virtual one */
    double scale;
    int depth;
    gboolean private_home; /* a HOME of its own instead of the user's */
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
void hf_seat_forget_virtual(void);

const char *hf_seat_get_name(const HfSeat *seat);
const char *hf_seat_get_display(const HfSeat *seat);
gboolean hf_seat_is_attached(const HfSeat *seat);
json_t *hf_seat_describe(HfSeat *seat);

HfResult *hf_seat_call(HfSeat *seat, HfErrand *errand, GError **error);
