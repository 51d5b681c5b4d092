/* SPDX-License-Identifier: Apache-2.0 */
/* The connections of the HTTP door and their limits. A connection is a stranger until a request on
 * it has shown a good token; strangers go first when there are too many. Each connection has at
 * most one deadline, whatever it is waiting for; nothing that the client sends prolongs it. Main
 * thread only. */
#pragma once

#include <gio/gio.h>

#include "desk/doors/http/auth/http-address.h"
#include "desk/doors/http/server/http-framing.h"

typedef struct HfHttpConnections HfHttpConnections;
typedef struct HfHttpConnection HfHttpConnection;

HfHttpConnections *hf_http_connections_new(void);
/* When all connections are gone. */
void hf_http_connections_free(HfHttpConnections *table);
void hf_http_connections_drop_all(HfHttpConnections *table);
/* Hangs up on those whose client's address is not in the list any more. */
void hf_http_connections_drop_others(HfHttpConnections *table, const HfHttpAllow *allow);
/* {"open", "known", "accepted", "evicted", "late"}: how many there are and were. */
typedef struct HfHttpCounts {
    guint open, strangers;
    guint64 accepted, evicted, late;
} HfHttpCounts;
HfHttpCounts hf_http_connections_count(const HfHttpConnections *table);

/* Takes a new one in, making room if it must; NULL when there is none. It lives as long as the
 * stream does. `address` is its client's. */
HfHttpConnection *hf_http_connections_add(HfHttpConnections *table, GSocketConnection *stream,
                                          const char *address);
/* Room for one more descriptor, when the system has none left. */
void hf_http_connections_evict_one(HfHttpConnections *table);

HfHttpConnection *hf_http_connection_ref(HfHttpConnection *connection);
void hf_http_connection_unref(HfHttpConnection *connection);
const char *hf_http_connection_get_address(const HfHttpConnection *connection);
int hf_http_connection_get_fd(const HfHttpConnection *connection);
/* What is let through of what it sends. */
HfHttpFraming *hf_http_connection_get_framing(const HfHttpConnection *connection);
/* The name of the run for calls that name none, one for the connection; and what it was given to
 * read (HfReads, atomic). */
const char *hf_http_connection_get_run(const HfHttpConnection *connection);
gint *hf_http_connection_get_reads(HfHttpConnection *connection);
/* It has shown a good token, or a bad one. */
void hf_http_connection_set_known(HfHttpConnection *connection, gboolean known);
/* Drops it unless it is told otherwise within this time; 0: never. */
void hf_http_connection_expect(HfHttpConnection *connection, gint64 within_ms);
/* Waits for the next request: strangers have less time. */
void hf_http_connection_expect_request(HfHttpConnection *connection);
/* The connection that a remote address belongs to: libsoup knows it only by that. */
void hf_http_connection_bind_address(HfHttpConnection *connection, GSocketAddress *remote);
HfHttpConnection *hf_http_connection_find(GSocketAddress *remote);
/* When the stream is not libsoup's server's any more, which never forgets the address. */
void hf_http_connection_unbind_address(GSocketAddress *remote);
/* Hangs up; the rest follows by itself. */
void hf_http_connection_drop(HfHttpConnection *connection);
/* The same for one that still sends: it hears so at once, and may lose the answer. */
void hf_http_connection_abort(HfHttpConnection *connection);
