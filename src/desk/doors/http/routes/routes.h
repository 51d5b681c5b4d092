/* SPDX-License-Identifier: Apache-2.0 */
/* The HTTP routes, as tables. Dispatch, 404 and 405, and the OpenAPI document are all made from
 * them. Each area has a table in its own file; routes.c joins them. */
#pragma once

#include <jansson.h>

#include "desk/doors/http/server/http-request.h"
#include "desk/doors/http/server/libsoup.h"
#include "shared/tool/param.h"

/* Answers the request (http-request.h), now or later. */
typedef void (*HfHttpHandler)(HfHttpRequest *request);
/* For a WebSocket, on the main thread. The handler owns the connection from now on, and keeps its
 * own references to both. */
typedef void (*HfWebSocketHandler)(HfHttpRequest *request, SoupWebsocketConnection *socket);

/* The thread on which a handler runs. */
typedef enum HfHttpThread {
    HF_HTTP_MANAGE, /* a management worker */
    HF_HTTP_CALL,   /* a worker for tool calls */
    HF_HTTP_MAIN,   /* the main thread: must not wait */
} HfHttpThread;

typedef enum HfHttpFlags {
    HF_HTTP_PUBLIC = 1 << 0,   /* no token needed; without one the caller's kind is NONE */
    HF_HTTP_SEES_ALL = 1 << 1, /* only for observers and owners */
    HF_HTTP_OWNER = 1 << 2,    /* only for owners */
    HF_HTTP_ANY_BODY = 1 << 3, /* the body is not parsed as JSON: see hf_http_request_get_bytes */
    HF_HTTP_UNLISTED = 1 << 4, /* not in the OpenAPI document */
    HF_HTTP_EXECUTOR = 1 << 5, /* every answer has the executor API's form */
} HfHttpFlags;

struct HfHttpRoute {
    const char *method; /* "GET" also serves HEAD */
    const char *path;   /* "/v1/tools/{name}" */
    HfHttpHandler handler;
    HfHttpThread where;
    HfHttpFlags flags;
    const char *bridge; /* the bridge method behind it; hf_http_handle_method calls it */
    const char *about;  /* a summary for the OpenAPI document */
    /* The parameters: in the query of GET and DELETE, else in the body. NULL: none, or those of the
     * bridge method. */
    const HfParam *params;
    /* The schema of a body that one table cannot describe; owned. */
    json_t *(*body)(const HfHttpRoute *route);
    const struct HfExecutorAction *action; /* of the executor API; NULL: none */
    /* Accepts a WebSocket. `handle` then serves requests without one. */
    HfWebSocketHandler socket;
};

/* All tables, each ended by {0}; ended by NULL. */
extern const HfHttpRoute *const hf_http_route_tables[];

/* Finds the route of a path, with the values of its {parts} in order (of char *). NULL when there
 * is none; `ret_allow` (owned) then lists the methods of the path, or is NULL. */
const HfHttpRoute *hf_http_route_find(const char *method, const char *path, GPtrArray **ret_values,
                                      char **ret_allow);

/* Any route with this path, whatever its method; NULL: none. */
const HfHttpRoute *hf_http_route_at(const char *path);

/* The tables. */
extern const HfHttpRoute hf_http_v1_routes[];
extern const HfHttpRoute hf_http_mcp_routes[];
extern const HfHttpRoute hf_http_events_routes[];
extern const HfHttpRoute hf_http_live_view_routes[];
extern const HfHttpRoute hf_http_executor_routes[];
