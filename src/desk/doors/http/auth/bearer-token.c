/* SPDX-License-Identifier: Apache-2.0 */
/* The Authorization header decides when it is present, even when it holds no token of ours. Only
 * without it are the WebSocket protocols read. */
#include "desk/doors/http/auth/bearer-token.h"

#include <string.h>

/* Protocol names that a client may list beside the token. */
#define PROTOCOLS 8

char *hf_http_bearer_dup(const char *authorization, const char *protocols)
{
    static const char scheme[] = "Bearer ", in_protocol[] = "handfast.bearer.";
    if (authorization && g_ascii_strncasecmp(authorization, scheme, strlen(scheme)) == 0)
        return g_strstrip(g_strdup(authorization + strlen(scheme)));
    if (authorization)
        return g_strdup("?");
    g_auto(GStrv) names = protocols ? g_strsplit(protocols, ",", PROTOCOLS) : NULL;
    for (char **name = names; name && *name; name++)
        if (g_str_has_prefix(g_strstrip(*name), in_protocol))
            return g_strstrip(g_strdup(*name + strlen(in_protocol)));
    return NULL;
}
