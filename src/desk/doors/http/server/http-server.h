/* SPDX-License-Identifier: Apache-2.0 */
/* The HTTP door (libsoup). It translates bytes to calls and answers to bytes, and decides nothing
 * but who may come in at all. */
#pragma once

#include "desk/desktops/desk.h"
#include "desk/doors/http/server/http-request.h"
#include "desk/doors/mcp/mcp-server.h"
#include "desk/doors/workers.h"

/* On the main thread, for its default context. NULL without an error: the owner wants no such
 * door. */
HfHttp *hf_http_new(HfDesk *desk, HfWorkers *workers, HfMcpServer *mcp, GError **error);
/* Lets nobody in any more, hangs up, cancels what is under way. */
void hf_http_shut(HfHttp *http);
/* When it is shut and the workers are gone. */
void hf_http_free(HfHttp *http);

/* {url, addresses, port, tls}: where it can be reached. */
json_t *hf_http_describe(const HfHttp *http);
