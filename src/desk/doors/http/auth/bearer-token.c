/* SPDX-License-Identifier: Apache-2.0 */
/* Whoever shows something is measured by it: a header that is there hides what the protocols say.
 */
#include "desk/doors/http/auth/bearer-token.h"

#include <string.h>

/* Names that a client may list beside ours. */
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
