/* The HTTP door (libsoup). It translates bytes to calls and answers to bytes, and decides nothing
 * but who may come in at all. */
#pragma once

#include "desk/desk.h"
#include "front/http/request.h"
#include "front/mcp/server.h"
#include "front/workers.h"

/* On the main thread, for its default context. NULL without an error: the owner wants no such
 * door. */
HfHttp *hf_http_new(HfDesk *desk, HfWorkers *workers, HfMcpServer *mcp, GError **error);
/* Lets nobody in any more, hangs up, cancels what is under way. */
void hf_http_shut(HfHttp *http);
/* When it is shut and the workers are gone. */
void hf_http_free(HfHttp *http);

/* {url, addresses, port, tls}: where it can be reached. */
json_t *hf_http_describe(const HfHttp *http);
