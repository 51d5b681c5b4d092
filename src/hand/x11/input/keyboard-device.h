/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the keyboards of an X server that matter to us. */
#pragma once

#include "hand/x11/core/connection.h"

/* The keyboard that programs see, and the one that XTEST presses keys on; the same one where the
 * server does not separate them. UNSUPPORTED without XKB or XTEST. */
gboolean hf_x11_device_find(HfX11Connection *connection, guint8 *ret_core, guint8 *ret_xtest,
                            GError **error);
/* Whether a device belongs to XTEST. */
gboolean hf_x11_device_is_xtest(HfX11Connection *connection, guint16 device);
