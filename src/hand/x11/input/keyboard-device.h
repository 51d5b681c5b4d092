/* SPDX-License-Identifier: Apache-2.0 */
/* The keyboards of an X server that matter to us. */
#pragma once

#include "hand/x11/core/connection.h"

/* The keyboard that programs see, and the one that XTEST presses keys on (the same where the
 * server does not tell them apart). UNSUPPORTED without XKB or XTEST. */
gboolean hf_x11_device_find(HfX11Connection *connection, guint8 *ret_core, guint8 *ret_xtest,
                            GError **error);
/* Whether a device is one of those that make up input for XTEST. */
gboolean hf_x11_device_is_xtest(HfX11Connection *connection, guint16 device);
