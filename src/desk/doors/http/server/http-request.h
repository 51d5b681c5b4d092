/* SPDX-License-Identifier: Apache-2.0 */
/* One request over HTTP, as handlers see it, and the ways to answer it. All of it may be used from
 * any thread. Each request is answered once; one that is let go without an answer is answered with
 * INTERNAL. */
#pragma once

#include <gio/gio.h>
#include <jansson.h>

#include "desk/desktops/desk.h"
#include "desk/doors/workers.h"

typedef struct HfHttp HfHttp;
typedef struct HfHttpRequest HfHttpRequest;
typedef struct HfHttpRoute HfHttpRoute;

HfHttpRequest *hf_http_request_ref(HfHttpRequest *request);
void hf_http_request_unref(HfHttpRequest *request);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfHttpRequest, hf_http_request_unref)

HfDesk *hf_http_request_get_desk(const HfHttpRequest *request);
HfWorkers *hf_http_request_get_workers(const HfHttpRequest *request);
HfHttp *hf_http_request_get_http(const HfHttpRequest *request);
const HfHttpRoute *hf_http_request_get_route(const HfHttpRequest *request);
/* Who asks; valid as long as the request. Its kind is NONE on public routes without a token. */
const HfCaller *hf_http_request_get_caller(const HfHttpRequest *request);

const char *hf_http_request_get_method(const HfHttpRequest *request);
const char *hf_http_request_get_path(const HfHttpRequest *request);
/* A {part} of the path, decoded; a value of the query, or NULL; a header, or NULL. */
const char *hf_http_request_get_part(const HfHttpRequest *request, const char *name);
const char *hf_http_request_get_query(const HfHttpRequest *request, const char *name);
const char *hf_http_request_get_header(const HfHttpRequest *request, const char *name);
/* The body: an object, empty when there was none. Never NULL when a handler runs, unless its route
 * takes any body. */
json_t *hf_http_request_get_json(const HfHttpRequest *request);
GBytes *hf_http_request_get_bytes(const HfHttpRequest *request);
/* Cancelled when the client has gone away and when the desk ends. */
GCancellable *hf_http_request_get_cancellable(const HfHttpRequest *request);

/* Before the answer: a header more. The value must be one line. */
void hf_http_request_add_header(HfHttpRequest *request, const char *name, const char *value);

void hf_http_respond_json(HfHttpRequest *request, guint status, json_t *take_json);
void hf_http_respond_text(HfHttpRequest *request, guint status, const char *media_type,
                          GString *take_text);
void hf_http_respond_bytes(HfHttpRequest *request, guint status, const char *media_type,
                           GBytes *take_bytes);
/* {"ok": false, "error": {...}} with the status that the table of errors gives its code. */
void hf_http_respond_error(HfHttpRequest *request, const GError *error);
/* No body: 202, 204. */
void hf_http_respond_status(HfHttpRequest *request, guint status);

/* An answer that goes on (server-sent events): begun, then any number of pieces, then ended. A
 * client that lets too much pile up is dropped: FALSE from `send` means that it is gone, and the
 * cancellable says so too. */
void hf_http_stream_begin(HfHttpRequest *request, guint status, const char *media_type);
gboolean hf_http_stream_send(HfHttpRequest *request, const char *text, gsize length);
/* What the client has not taken yet. */
gsize hf_http_stream_get_backlog(HfHttpRequest *request);
/* Main thread only: calls it there whenever the client has taken something. NULL: no more. */
void hf_http_stream_set_drain_func(HfHttpRequest *request, void (*taken)(gpointer data),
                                   gpointer data);
void hf_http_stream_end(HfHttpRequest *request);
