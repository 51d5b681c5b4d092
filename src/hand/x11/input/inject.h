/* SPDX-License-Identifier: Apache-2.0 */
/* The one place from which input events leave for the X server. */
#pragma once

#include "hand/safety/input-journal.h"
#include "hand/x11/core/x11.h"

typedef struct HfX11Injection {
    guint8 type;   /* XCB_KEY_PRESS, ... */
    guint8 detail; /* keycode or button */
    HfPoint point; /* of a motion */
} HfX11Injection;

/* Queues the event on the connection. STOPPED or PAUSED when the brake is on, INTERNAL without a
 * context; never refuses a release. */
gboolean hf_x11_inject(const HfCallContext *context, HfX11Connection *connection,
                       HfX11Injection event, GError **error);
/* Releases every key and button that we hold according to the journal, from any thread and without
 * waiting for a user of the keyboard or the pointer. Leaves the journal as it is. */
gboolean hf_x11_inject_releases(HfDesktop *desktop, GError **error);
