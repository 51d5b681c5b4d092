/* SPDX-License-Identifier: Apache-2.0 */
/* Compares whole names without the port. Text that is not a valid host never matches. */
#include "desk/doors/http/auth/host-check.h"

#include <string.h>

/* The name without its port; NULL when it is not a host. */
static char *dup_host_name(const char *host)
{
    const char *end = host[0] == '[' ? strchr(host, ']') : NULL;
    if (host[0] == '[' && !end)
        return NULL;
    const char *rest = end ? end + 1 : host + strcspn(host, ":");
    gsize length = (gsize)(rest - host);
    if (*rest == ':' && strspn(rest + 1, "0123456789") != strlen(rest + 1))
        return NULL;
    if ((*rest != ':' && *rest != '\0') || length == 0 || strlen(rest) > 6)
        return NULL;
    return end ? g_strndup(host + 1, length - 2) : g_strndup(host, length);
}

static gboolean is_own_host_name(const char *name, char *const *own, const json_t *more)
{
    static const char *const always[] = {"localhost", "127.0.0.1", "::1", NULL};
    size_t index;
    json_t *entry;
    for (const char *const *each = always; *each; each++)
        if (g_ascii_strcasecmp(*each, name) == 0)
            return TRUE;
    for (char *const *each = own; each && *each; each++)
        if (g_ascii_strcasecmp(*each, name) == 0)
            return TRUE;
    json_array_foreach (more, index, entry)
        if (json_is_string(entry) && g_ascii_strcasecmp(json_string_value(entry), name) == 0)
            return TRUE;
    return FALSE;
}

gboolean hf_http_host_is_ours(const char *host, char *const *own, const json_t *more)
{
    g_autofree char *name = host ? dup_host_name(host) : NULL;
    return name && is_own_host_name(name, own, more);
}

gboolean hf_http_origin_is_ours(const char *origin, char *const *own, const json_t *more)
{
    static const char *const schemes[] = {"http://", "https://"};
    for (gsize i = 0; i < G_N_ELEMENTS(schemes); i++)
        if (g_str_has_prefix(origin, schemes[i]))
            return hf_http_host_is_ours(origin + strlen(schemes[i]), own, more);
    return FALSE;
}
