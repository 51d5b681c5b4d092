/* SPDX-License-Identifier: Apache-2.0 */
/* The session bus of the desktop: the one that its programs talk on. */
#pragma once

#include <gio/gio.h>

#include "shared/base/deadline.h"

/* A connection of one's own to the bus named in DBUS_SESSION_BUS_ADDRESS, and to no other: a bus
 * is never started, and another desktop's never taken. UNSUPPORTED when there is none. For calls
 * only: it hears no signals. */
GDBusConnection *hf_session_bus_open(const HfDeadline *deadline, GError **error);
/* Another bus, by its address. */
GDBusConnection *hf_dbus_open(const char *address, const HfDeadline *deadline, GError **error);
/* What the bus calls us on that connection. */
const char *hf_dbus_get_name(GDBusConnection *bus);
/* A program that listens itself: connected and known to each other, without a bus between. */
GDBusConnection *hf_dbus_connect_peer(const char *address, const HfDeadline *deadline,
                                      GError **error);
