/* SPDX-License-Identifier: Apache-2.0 */
/* What an HTTP client asks of a proxy: a tunnel (CONNECT), or one request to a server. */
#pragma once

#include "proxy/http-body.h"

typedef struct HfProxyRequest {
    gboolean tunnel;
    char *host; /* a name or an address, without brackets */
    guint16 port;
    GString *head; /* for the server; NULL: a tunnel */
    HfBody body;   /* what follows the head */
} HfProxyRequest;

/* From the request line and the headers, with the empty line that ends them. INVALID_PARAMS says
 * what is wrong. The head for the server names the host of the request line alone, whatever the
 * header Host said, and asks it to close afterwards: another request has to come to us again. */
gboolean hf_proxy_request_parse(const char *text, gsize length, HfProxyRequest *ret_request,
                                GError **error);
void hf_proxy_request_clear(HfProxyRequest *request);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(HfProxyRequest, hf_proxy_request_clear)

/* A host name or address in ASCII; nothing that a resolver could read in another way. */
gboolean hf_proxy_is_host(const char *host);
