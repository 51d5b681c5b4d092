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

/* Queues the event on the connection. FALSE with STOPPED or PAUSED when the brake is on, and with
 * INTERNAL without a context; a release is never refused. */
gboolean hf_x11_inject(const HfCallContext *context, HfX11Connection *connection,
                       HfX11Injection event, GError **error);
/* Lets go of every key and button that the journal has as held by us, from any thread and without
 * waiting for whoever is using the keyboard or the pointer. Crosses nothing out. */
gboolean hf_x11_inject_releases(HfX11Desktop *x11, GError **error);
