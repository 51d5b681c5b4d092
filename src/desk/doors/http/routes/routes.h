/* SPDX-License-Identifier: Apache-2.0 */
/* What can be asked over HTTP, as tables: dispatching, 404 and 405, and the OpenAPI document are
 * all made from them. Each area has a table in a file of its own; routes.c joins them. */
#pragma once

#include <jansson.h>

#include "desk/doors/http/server/http-request.h"
#include "desk/doors/http/server/libsoup.h"
#include "shared/tool/param.h"

/* Answers the request (http-request.h), now or later. */
typedef void (*HfHttpHandler)(HfHttpRequest *request);
/* For a WebSocket, on the main thread: from now on the connection is the handler's, who keeps its
 * own reference to both. */
typedef void (*HfWebSocketHandler)(HfHttpRequest *request, SoupWebsocketConnection *socket);

/* On which thread a handler runs. */
typedef enum HfHttpThread {
    HF_HTTP_MANAGE, /* a worker for managing */
    HF_HTTP_CALL,   /* a worker for calls of tools */
    HF_HTTP_MAIN,   /* the main thread: must not wait for anything */
} HfHttpThread;

typedef enum HfHttpFlags {
    HF_HTTP_PUBLIC = 1 << 0,   /* without a token; the caller's kind is NONE then */
    HF_HTTP_SEES_ALL = 1 << 1, /* only for observers and owners */
    HF_HTTP_OWNER = 1 << 2,    /* only for owners */
    HF_HTTP_ANY_BODY = 1 << 3, /* the body is not read as JSON: see hf_http_request_get_bytes */
    HF_HTTP_UNLISTED = 1 << 4, /* not in the OpenAPI document */
    HF_HTTP_EXECUTOR = 1 << 5, /* every answer has the executor API's form */
} HfHttpFlags;

struct HfHttpRoute {
    const char *method; /* "GET" stands for HEAD too */
    const char *path;   /* "/v1/tools/{name}" */
    HfHttpHandler handler;
    HfHttpThread where;
    HfHttpFlags flags;
    const char *bridge; /* the method of the bridge that it is; hf_http_handle_method does that */
    const char *about;  /* what it does: a sentence for the OpenAPI document */
    /* What goes with it: in the query of GET and DELETE, else in the body. NULL: nothing, or what
     * the bridge's method takes. */
    const HfParam *params;
    /* The schema of a body that is more than one table; owned. */
    json_t *(*body)(void);
    /* A WebSocket; with a handler as well, that is for those who ask for none. */
    HfWebSocketHandler socket;
};

/* All tables, each ended by {0}; ended by NULL. */
extern const HfHttpRoute *const hf_http_route_tables[];

/* The route for a path, with the values of its {parts} in their order (of char *). NULL when there
 * is none; `ret_allow` (owned) then lists methods that the path has, or is NULL. */
const HfHttpRoute *hf_http_route_find(const char *method, const char *path, GPtrArray **ret_values,
                                      char **ret_allow);

/* Whatever there is at a path, by any method; NULL: nothing. */
const HfHttpRoute *hf_http_route_at(const char *path);

/* The areas. */
extern const HfHttpRoute hf_http_v1_routes[];
extern const HfHttpRoute hf_http_mcp_routes[];
extern const HfHttpRoute hf_http_events_routes[];
extern const HfHttpRoute hf_http_live_view_routes[];
extern const HfHttpRoute hf_http_executor_routes[];
