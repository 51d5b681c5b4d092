/* SPDX-License-Identifier: Apache-2.0 */
/* The sockets that are listened on. Whoever may not connect is turned away here, before a byte of
 * HTTP is read. Main thread only. */
#pragma once

#include <gio/gio.h>

#include "desk/doors/http/server/http-connection.h"
#include "desk/policy/config/live-config.h"

typedef struct HfHttpListener HfHttpListener;

/* Somebody who may connect, and is in the table. The stream is TLS where that is wanted. */
typedef void (*HfHttpArrival)(GIOStream *stream, HfHttpConnection *connection, gpointer data);

/* The list of those who may connect is followed while the desk runs; the rest is read once.
 * CONFLICT when the port is taken; PRECONDITION_FAILED, CONFIG_INVALID for what is wrong with the
 * address or the certificate. */
HfHttpListener *hf_http_listener_new(HfLiveConfig *agreement, const char *usual_port,
                                     HfHttpConnections *table, HfHttpArrival arrival, gpointer data,
                                     GError **error);
void hf_http_listener_free(HfHttpListener *listener);
/* Takes over what the owner has changed: whoever is let in no more is hung up on. */
void hf_http_listener_refresh(HfHttpListener *listener);

/* Addresses that are listened on, as text, ended by NULL; the port; whether TLS is spoken. */
char *const *hf_http_listener_get_addresses(const HfHttpListener *listener);
guint hf_http_listener_get_port(const HfHttpListener *listener);
gboolean hf_http_listener_is_tls(const HfHttpListener *listener);
/* An entry of http.allow that is neither an address nor a network, and so lets nobody in; NULL. */
const char *hf_http_listener_get_wrong(const HfHttpListener *listener);
/* How many were turned away. */
guint64 hf_http_listener_get_refused(const HfHttpListener *listener);
