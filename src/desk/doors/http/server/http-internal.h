/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the files of the HTTP door. Others see http-server.h. */
#pragma once

#include "desk/doors/http/auth/auth-backoff.h"
#include "desk/doors/http/mcp/mcp-http-sessions.h"
#include "desk/doors/http/routes/metrics.h"
#include "desk/doors/http/routes/routes.h"
#include "desk/doors/http/server/http-connection.h"
#include "desk/doors/http/server/http-server.h"
#include "desk/doors/http/server/libsoup.h"
#include "desk/guard/policy/token-store.h"

/* main-queue.c: runs work on the main thread, in order, for any other thread. */
typedef struct HfMainQueue HfMainQueue;
typedef void (*HfMainQueueFunc)(gpointer data);

HfMainQueue *hf_main_queue_new(void);
/* Runs what is still queued first. */
void hf_main_queue_free(HfMainQueue *queue);
void hf_main_queue_push(HfMainQueue *queue, HfMainQueueFunc work, gpointer data);

/* framing-stream.c: the connection as libsoup sees it. Every byte that libsoup reads has passed the
 * framing check; a refusal is sent to the client and ends the connection. Closes `stream`. */
GIOStream *hf_http_framing_stream_new(GIOStream *stream, HfHttpFraming *framing);

/* Counters for GET /metrics. Main thread. */
typedef struct HfHttpTotals {
    guint64 requests, wrong_tokens, wrong_hosts, too_large, streams;
} HfHttpTotals;

struct HfHttp {
    HfDesk *desk;
    HfWorkers *workers;
    HfMcpServer *mcp;
    HfMcpHttpSessions *sessions; /* of legacy MCP clients */
    HfMainQueue *main_queue;
    SoupServer *server;
    HfHttpConnections *table;
    HfHttpListener *listener;
    HfAuthBackoff *backoff;
    HfHttpMetrics *metrics;
    GHashTable *requests; /* of HfHttpRequest that libsoup uses, a reference each; main thread */
    gsize bodies_bytes;   /* of requests being received; main thread */
    GPtrArray *sockets;   /* of HfWebSocket (web-socket.h); main thread */
    gboolean shut;        /* main thread */
    guint changes;        /* event listener for config changes; 0: none */
    HfHttpTotals totals;
};

struct HfHttpRequest {
    gatomicrefcount refs;
    HfHttp *http;
    HfHttpConnection *connection;
    const HfHttpRoute *route;
    /* Handlers may read its headers; everything else belongs to the main thread. NULL after the
     * last handler has released the request. */
    SoupServerMessage *message;
    GPtrArray *values; /* of the path's {parts} */
    GHashTable *query;
    HfToken *token; /* NULL: no token was sent */
    char *run_id;
    HfCaller caller; /* its kind is NONE on public routes without a token */
    GBytes *bytes;
    json_t *json; /* the body as an object, empty without one; NULL if the route takes any body */
    GCancellable *cancellable; /* cancelled when the client disconnects and when the desk ends */
    gint answered;             /* atomic */
    gint backlog;              /* atomic: bytes of a stream that the client has not taken */
    gint streaming;            /* atomic */
    /* Main thread. */
    void (*taken)(
        gpointer data); /* of a stream: called when the client has taken something; may be NULL */
    gpointer taken_data;
    gsize body_bytes; /* counted in http->bodies_bytes */
    guint hangup;     /* source that watches for a disconnect */
    gboolean dispatched;
    gboolean finished; /* libsoup no longer needs an answer */
};

/* Data keys of a message: its request, and a refusal that is still to be sent. */
#define HF_HTTP_REQUEST_KEY "hf-request"
#define HF_HTTP_LATER_KEY   "hf-later"
/* Data key of a client's address: the output of its TLS connection. */
#define HF_HTTP_TLS_KEY "hf-tls"

/* http-auth.c. Creates the request of a message whose headers have arrived. NULL when it was
 * refused; the refusal is sent, or will be. */
HfHttpRequest *hf_http_admit_request(HfHttp *http, SoupServerMessage *message,
                                     HfHttpConnection *connection);
/* Answers through libsoup (TRUE), or directly and at once when a long body is still to come. */
gboolean hf_http_refuse(HfHttp *http, SoupServerMessage *message, const GError *error,
                        guint status);

/* request-dispatch.c: runs a request whose body has arrived. */
void hf_http_dispatch(HfHttpRequest *request);

/* http-request.c */
HfHttpRequest *hf_http_request_new(HfHttp *http, SoupServerMessage *message,
                                   HfHttpConnection *connection, const HfHttpRoute *route);
/* HfRequest.waiting of a call that a request makes: another call may use its worker. */
void hf_http_request_set_waiting(const json_t *approval, gpointer request);
/* Starts to watch for a disconnect. */
void hf_http_request_watch(HfHttpRequest *request);
void hf_http_request_unwatch(HfHttpRequest *request);
/* Main thread: libsoup is done with it; drops the reference in http->requests. */
void hf_http_request_finish(HfHttpRequest *request);
/* Main thread: the client has taken bytes of the answer. */
void hf_http_request_wrote(HfHttpRequest *request, guint bytes);

/* http-response.c: an error body, {ok, error} or in the executor API's form. `route`: the requested
 * route; NULL: none exists. */
json_t *hf_http_error_json(const HfHttpRoute *route, const char *run_id, const GError *error);
/* Adds the members of every executor answer: runId, stepId and ts. */
void hf_http_add_executor_ids(json_t *json, const char *run_id, const char *step_id,
                              gint64 time_ms);
