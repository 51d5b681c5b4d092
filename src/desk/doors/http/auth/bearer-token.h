/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the token from a request's headers. The headers are untrusted. */
#pragma once

#include <glib.h>

/* Returns the text after "Bearer" in `Authorization`. A browser's WebSocket cannot set headers, so
 * the token may also be in the list of `Sec-WebSocket-Protocol`. Either may be NULL. Returns NULL
 * without a token, and "?" for any other authentication scheme. */
char *hf_http_bearer_dup(const char *authorization, const char *protocols);
