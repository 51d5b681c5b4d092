/* SPDX-License-Identifier: Apache-2.0 */
/* Opens D-Bus connections: to the session bus that the desktop's programs use, and to others. */
#pragma once

#include <gio/gio.h>

#include "shared/base/deadline.h"

/* A private connection to the bus in DBUS_SESSION_BUS_ADDRESS. It never starts a bus or uses
 * another desktop's. UNSUPPORTED when there is none. For calls only: it gets no signals. */
GDBusConnection *hf_session_bus_open(const HfDeadline *deadline, GError **error);
/* Another bus, by its address. */
GDBusConnection *hf_dbus_open(const char *address, const HfDeadline *deadline, GError **error);
/* Our unique name on that bus. */
const char *hf_dbus_get_name(GDBusConnection *bus);
