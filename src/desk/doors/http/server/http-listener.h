/* SPDX-License-Identifier: Apache-2.0 */
/* The listening sockets. Addresses that may not connect are refused here, before a byte of HTTP is
 * read. Main thread only. */
#pragma once

#include <gio/gio.h>

#include "desk/doors/http/server/http-connection.h"
#include "desk/policy/config/live-config.h"

typedef struct HfHttpListener HfHttpListener;

/* Called with a connection that may connect and is in the table. The stream is TLS when the config
 * asks for it. */
typedef void (*HfHttpArrival)(GIOStream *stream, HfHttpConnection *connection, gpointer data);

/* The list of allowed addresses follows the config while the desk runs; the rest is read once.
 * `usual_port` replaces the default port (may be NULL). CONFLICT when the port is taken;
 * PRECONDITION_FAILED or CONFIG_INVALID for a bad address or certificate. */
HfHttpListener *hf_http_listener_new(HfLiveConfig *live_config, const char *usual_port,
                                     HfHttpConnections *table, HfHttpArrival arrival, gpointer data,
                                     GError **error);
void hf_http_listener_free(HfHttpListener *listener);
/* Applies the owner's changes: drops connections that are no longer allowed. */
void hf_http_listener_refresh(HfHttpListener *listener);

/* The listening addresses as text, ended by NULL; the port; whether it uses TLS. */
char *const *hf_http_listener_get_addresses(const HfHttpListener *listener);
guint hf_http_listener_get_port(const HfHttpListener *listener);
gboolean hf_http_listener_is_tls(const HfHttpListener *listener);
/* An entry of http.allow that is neither an address nor a network, and is ignored; NULL: none. */
const char *hf_http_listener_get_wrong(const HfHttpListener *listener);
/* The number of refused connections. */
guint64 hf_http_listener_get_refused(const HfHttpListener *listener);
