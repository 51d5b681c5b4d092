/* SPDX-License-Identifier: Apache-2.0 */
/* The HTTP door (libsoup). It translates bytes to calls and answers to bytes. It decides only who
 * may connect. */
#pragma once

#include "desk/desktops/desk.h"
#include "desk/doors/http/server/http-request.h"
#include "desk/doors/mcp/mcp-server.h"
#include "desk/doors/workers.h"

/* On the main thread, with its default context. NULL without an error: the config disables the
 * door. */
HfHttp *hf_http_new(HfDesk *desk, HfWorkers *workers, HfMcpServer *mcp, GError **error);
/* Accepts nobody any more, disconnects clients, cancels their calls. */
void hf_http_shut(HfHttp *http);
/* After it was shut and the workers are gone. */
void hf_http_free(HfHttp *http);

/* {url, addresses, port, tls}: where clients can reach it. */
json_t *hf_http_describe(const HfHttp *http);
