/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the HTTP door share among themselves. Others see http-server.h and
 * http-request.h. */
#pragma once

#include "desk/doors/http/auth/auth-backoff.h"
#include "desk/doors/http/mcp/mcp-http-sessions.h"
#include "desk/doors/http/routes/metrics.h"
#include "desk/doors/http/routes/routes.h"
#include "desk/doors/http/server/http-connection.h"
#include "desk/doors/http/server/http-listener.h"
#include "desk/doors/http/server/http-server.h"
#include "desk/doors/http/server/libsoup.h"
#include "desk/doors/http/server/main-queue.h"
#include "desk/guard/policy/token-store.h"

/* What is counted for GET /metrics. Main thread. */
typedef struct HfHttpTotals {
    guint64 requests, wrong_tokens, wrong_hosts, too_large, streams;
} HfHttpTotals;

struct HfHttp {
    HfDesk *desk;
    HfWorkers *workers;
    HfMcpServer *mcp;
    HfMcpHttpSessions *sessions; /* of legacy MCP clients */
    HfMainQueue *relay;
    SoupServer *server;
    HfHttpConnections *table;
    HfHttpListener *listener;
    HfAuthBackoff *delays;
    HfHttpMetrics *metrics;
    GHashTable *requests; /* of HfHttpRequest that libsoup knows, a reference each; main thread */
    gsize bodies_bytes;   /* of requests that are being received; main thread */
    GPtrArray *sockets;   /* of HfWebSocket (web-socket.h); main thread */
    gboolean shut;        /* main thread */
    guint changes;        /* listener for changes of the agreement; 0: none */
    HfHttpTotals totals;
};

struct HfHttpRequest {
    gatomicrefcount refs;
    HfHttp *http;
    HfHttpConnection *connection;
    const HfHttpRoute *route;
    /* Its headers may be read by whoever answers; the rest is the main thread's. NULL after the
     * last reference of a handler is gone. */
    SoupServerMessage *message;
    GPtrArray *values; /* of the path's {parts} */
    GHashTable *query;
    HfToken *token; /* NULL: none was shown */
    char *run_id;
    HfCaller caller;
    GBytes *bytes;
    json_t *json;
    GCancellable *cancellable;
    gint answered;  /* atomic */
    gint backlog;   /* atomic: bytes of a stream that the client has not taken */
    gint streaming; /* atomic */
    /* Main thread. */
    void (*taken)(gpointer data); /* of a stream: its client has taken something; may be NULL */
    gpointer taken_data;
    gsize body_bytes; /* counted in http->bodies_bytes */
    guint hangup;     /* source that watches for the client's leaving */
    gboolean dispatched;
    gboolean finished; /* libsoup has no use for an answer any more */
};

/* Under these names a message knows its request, and that its refusal is still to be told. */
#define HF_HTTP_REQUEST_KEY "hf-request"
#define HF_HTTP_LATER_KEY   "hf-later"
/* The output of a TLS connection, by the client's address. */
#define HF_HTTP_TLS_KEY "hf-tls"

/* http-auth.c: who comes in. Made from a message whose headers are there; NULL when it was refused,
 * and is answered or will be. */
HfHttpRequest *hf_http_admit_request(HfHttp *http, SoupServerMessage *message,
                                     HfHttpConnection *connection);
/* Answers in libsoup's way (TRUE), or by itself and at once where a long body is still to come. */
gboolean hf_http_refuse(HfHttp *http, SoupServerMessage *message, const GError *error,
                        guint status);

/* lingering-close.c: hangs up on a client that is still sending, so that it can read why. */
void hf_http_linger(HfHttp *http, SoupServerMessage *message, HfHttpConnection *connection);

/* request-dispatch.c: a request whose body is there. */
void hf_http_dispatch(HfHttpRequest *request);

/* http-request.c */
HfHttpRequest *hf_http_request_new(HfHttp *http, SoupServerMessage *message,
                                   HfHttpConnection *connection, const HfHttpRoute *route);
/* From now on the client's leaving is noticed. */
void hf_http_request_watch(HfHttpRequest *request);
void hf_http_request_unwatch(HfHttpRequest *request);
/* Main thread: libsoup is through with it; lets go of the reference that http->requests has. */
void hf_http_request_finish(HfHttpRequest *request);
/* Main thread: bytes of the answer were taken. */
void hf_http_request_wrote(HfHttpRequest *request, guint bytes);
