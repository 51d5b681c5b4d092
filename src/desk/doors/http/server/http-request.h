/* SPDX-License-Identifier: Apache-2.0 */
/* One HTTP request as handlers see it, and the ways to answer it. Any thread may use it. Each
 * request is answered once; a request that is freed without an answer gets INTERNAL. */
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

/* A {part} of the path, decoded; a value of the query, or NULL; a header, or NULL. */
const char *hf_http_request_get_part(const HfHttpRequest *request, const char *name);
const char *hf_http_request_get_query(const HfHttpRequest *request, const char *name);
const char *hf_http_request_get_header(const HfHttpRequest *request, const char *name);

/* Adds a header; call it before the answer. The value must be one line. */
void hf_http_request_add_header(HfHttpRequest *request, const char *name, const char *value);

void hf_http_respond_json(HfHttpRequest *request, guint status, json_t *take_json);
void hf_http_respond_text(HfHttpRequest *request, guint status, const char *media_type,
                          GString *take_text);
void hf_http_respond_bytes(HfHttpRequest *request, guint status, const char *media_type,
                           GBytes *take_bytes);
/* {"ok": false, "error": {...}} with the status of the error's code. */
void hf_http_respond_error(HfHttpRequest *request, const GError *error);
/* Without a body: 202, 204. */
void hf_http_respond_status(HfHttpRequest *request, guint status);

/* A streamed answer (server-sent events): begin, send any number of pieces, end. A client with too
 * large a backlog is dropped: `send` then returns FALSE, and the cancellable is cancelled. */
void hf_http_stream_begin(HfHttpRequest *request, guint status, const char *media_type);
gboolean hf_http_stream_send(HfHttpRequest *request, const char *text, gsize length);
/* The bytes that the client has not taken yet. */
gsize hf_http_stream_get_backlog(HfHttpRequest *request);
/* Main thread only: called whenever the client has taken something. NULL: stop. */
void hf_http_stream_set_drain_func(HfHttpRequest *request, void (*taken)(gpointer data),
                                   gpointer data);
void hf_http_stream_end(HfHttpRequest *request);
