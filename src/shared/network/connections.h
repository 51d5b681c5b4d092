/* SPDX-License-Identifier: Apache-2.0 */
/* The connections of a proxy: one thread each, top to bottom. They are in a table, so that other
 * threads can cut them when the policy changes. */
#pragma once

#include <gio/gio.h>

typedef struct HfConnections HfConnections;

typedef struct HfConnection {
    HfConnections *all;
    int client;
    int server;    /* -1 until it is connected */
    char *host;    /* NULL until it is known */
    char *address; /* to which the host was resolved; NULL: unknown */
    guint16 port;
    GCancellable *cancellable; /* cancelled when it is cut */
} HfConnection;

/* Runs on the connection's own thread; the connection ends when it returns. */
typedef void (*HfConnectionFunc)(HfConnection *connection, gpointer data);
/* Whether the policy allows it. */
typedef gboolean (*HfConnectionCheck)(const HfConnection *connection, gpointer data);

/* Serves who comes to the listener; closes the door on more than `most` at a time. */
HfConnections *hf_connections_new(int take_listener, guint most, HfConnectionFunc serve,
                                  gpointer data);
/* Cuts all connections; returns when their threads have ended. */
void hf_connections_free(HfConnections *all);

/* Cuts those that may not go on. */
void hf_connections_review(HfConnections *all, HfConnectionCheck may_go_on, gpointer data);

/* From here on it can be reviewed. */
void hf_connection_set_target(HfConnection *connection, char *take_host, guint16 port);
/* Connected: FALSE if it was cut or the policy has changed meanwhile. Ended by
 * hf_connection_part(), before the server's descriptor is closed. */
gboolean hf_connection_join(HfConnection *connection, int server, const char *address,
                            HfConnectionCheck may_go_on, gpointer data);
void hf_connection_part(HfConnection *connection);
