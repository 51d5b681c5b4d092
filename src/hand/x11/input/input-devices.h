/* SPDX-License-Identifier: Apache-2.0 */
/* The mice and keyboards that a person may have in hand, as XInput 2 lists them: every slave or
 * floating device but those of XTEST. */
#pragma once

#include "hand/x11/core/connection.h"

typedef struct HfX11InputDevice {
    guint16 members[256]; /* by keycode: which keys of the chord it is, as bits */
    gboolean unread;      /* its keymap is not known */
    guint8 down[32];      /* bits by keycode: held by the person, as far as we saw it */
    struct {
        gboolean absolute;
        double pixels, last; /* of a pixel for each unit; the last value of an absolute one */
        gboolean known;      /* `last` is */
        double moved;        /* since the last hf_x11_input_devices_reset_motion */
    } axes[2];
} HfX11InputDevice;

typedef struct HfX11InputDevices HfX11InputDevices;

/* Asks the server; also for news of their keymaps on this connection. UNSUPPORTED without XInput
 * 2.1 or XKB. */
HfX11InputDevices *hf_x11_input_devices_new(HfX11Connection *connection, const GArray *chord,
                                            GError **error);
void hf_x11_input_devices_free(HfX11InputDevices *devices);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfX11InputDevices, hf_x11_input_devices_free)

/* Takes over from an older list what the person is holding down, and keymaps that could not be read
 * this time. */
void hf_x11_input_devices_inherit(HfX11InputDevices *devices, HfX11InputDevices *former);

/* NULL when no person can have it in hand. */
HfX11InputDevice *hf_x11_input_devices_find(HfX11InputDevices *devices, guint16 id);
/* A key went down or up. TRUE when the chord is now down as a whole, and this key is part of it. */
gboolean hf_x11_input_devices_key(HfX11InputDevices *devices, HfX11InputDevice *device,
                                  guint8 keycode, gboolean down);
/* A valuator's value came in; forgets how far all devices have moved. */
void hf_x11_input_device_axis(HfX11InputDevice *device, guint number, double value);
void hf_x11_input_devices_reset_motion(HfX11InputDevices *devices);
/* A keymap could not be read (it was just being changed): try again soon. */
gboolean hf_x11_input_devices_incomplete(const HfX11InputDevices *devices);
/* The event that says that keymaps changed, or that devices came or went. */
gboolean hf_x11_input_devices_outdated(const HfX11InputDevices *devices,
                                       const xcb_generic_event_t *event);
