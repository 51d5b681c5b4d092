/* SPDX-License-Identifier: Apache-2.0 */
/* The connections of the HTTP door and their limits. A connection is unauthenticated until a
 * request on it carried a valid token; unauthenticated ones are dropped first when there are too
 * many. Each connection has at most one deadline, which nothing that the client sends prolongs.
 * Main thread only. */
#pragma once

#include <gio/gio.h>

#include "desk/doors/http/auth/http-address.h"
#include "desk/doors/http/server/http-framing.h"
#include "desk/policy/config/live-config.h"

typedef struct HfHttpConnections HfHttpConnections;
typedef struct HfHttpConnection HfHttpConnection;

HfHttpConnections *hf_http_connections_new(void);
/* After all connections are gone. */
void hf_http_connections_free(HfHttpConnections *table);
void hf_http_connections_drop_all(HfHttpConnections *table);
/* Drops connections from addresses that are no longer allowed. */
void hf_http_connections_drop_others(HfHttpConnections *table, const HfHttpAllow *allow);
/* {"open", "known", "accepted", "evicted", "late"}: current and past counts. */
typedef struct HfHttpCounts {
    guint open, unauthenticated;
    guint64 accepted, evicted, late;
} HfHttpCounts;
HfHttpCounts hf_http_connections_count(const HfHttpConnections *table);

/* Adds a connection, dropping another if it must; NULL when there is no room. It lives as long as
 * the stream. `address` is the client's. */
HfHttpConnection *hf_http_connections_add(HfHttpConnections *table, GSocketConnection *stream,
                                          const char *address);
/* Drops a connection when the system has no descriptors left. */
void hf_http_connections_evict_one(HfHttpConnections *table);

HfHttpConnection *hf_http_connection_ref(HfHttpConnection *connection);
void hf_http_connection_unref(HfHttpConnection *connection);
const char *hf_http_connection_get_address(const HfHttpConnection *connection);
int hf_http_connection_get_fd(const HfHttpConnection *connection);
/* Checks the bytes that the client sends. */
HfHttpFraming *hf_http_connection_get_framing(const HfHttpConnection *connection);
/* The run of calls that name none, one per connection; and the data that the connection has read
 * (HfReads, atomic). */
const char *hf_http_connection_get_run(const HfHttpConnection *connection);
gint *hf_http_connection_get_reads(HfHttpConnection *connection);
/* The client has sent a valid token, or an invalid one. */
void hf_http_connection_set_known(HfHttpConnection *connection, gboolean known);
/* Drops it after this time unless the deadline is set again; 0: never. */
void hf_http_connection_expect(HfHttpConnection *connection, gint64 within_ms);
/* Waits for the next request; unauthenticated connections get less time. */
void hf_http_connection_expect_request(HfHttpConnection *connection);
/* The connection of a remote address object: libsoup knows it only by that. */
void hf_http_connection_bind_address(HfHttpConnection *connection, GSocketAddress *remote);
HfHttpConnection *hf_http_connection_find(GSocketAddress *remote);
/* Forgets the address object: call it when libsoup's server, which never forgets it, gives up the
 * stream. */
void hf_http_connection_unbind_address(GSocketAddress *remote);
/* Disconnects; the rest follows by itself. */
void hf_http_connection_drop(HfHttpConnection *connection);
/* The same for a client that still sends: it is reset at once, and may lose the answer. */
void hf_http_connection_abort(HfHttpConnection *connection);

/* The listening sockets. Addresses that may not connect are refused here, before a byte of HTTP is
 * read. */
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
