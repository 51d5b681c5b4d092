/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the addresses of a host and connects to one, never to this machine. */
#pragma once

#include <gio/gio.h>

/* Whether connections to this address end on this machine, or at no other one: loopback, addresses
 * of its own, unspecified, link-local and multicast ones, and IPv4 ones written as IPv6. */
gboolean hf_address_leads_here(GInetAddress *address);

/* Whether it belongs to a network that the internet does not reach: that of a home or an office. */
gboolean hf_address_is_private(const char *address);

/* Whether an address may be connected to, beside that; with an error if not. */
typedef gboolean (*HfAddressCheck)(const char *address, gpointer data, GError **error);

/* Resolves the host once, and connects to what was checked: a name that means something else the
 * next time gains nothing. FORBIDDEN: none of its addresses may be reached. `ret_address`: the one
 * that was. */
GSocketConnection *hf_destination_connect(const char *host, guint16 port, HfAddressCheck check,
                                          gpointer data, GCancellable *cancellable,
                                          char **ret_address, GError **error);
