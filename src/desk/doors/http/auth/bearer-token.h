/* SPDX-License-Identifier: Apache-2.0 */
/* The token in a request's headers: foreign text. */
#pragma once

#include <glib.h>

/* What stands after "Bearer" in `Authorization`; for a WebSocket of a browser, which can set no
 * header, also in the list of `Sec-WebSocket-Protocol`. Either may be NULL. NULL: no token was
 * shown; "?" stands for another way to authenticate, which is no token of ours. */
char *hf_http_bearer_dup(const char *authorization, const char *protocols);
