/* SPDX-License-Identifier: Apache-2.0 */
/* A trailing dot and case make no difference. What cannot be decided does not match. */
#include "shared/text/host-pattern.h"

#include <string.h>

static char *dup_plain_host(const char *name)
{
    char *plain = g_ascii_strdown(name, -1);
    gsize length = strlen(plain);
    if (length > 1 && plain[length - 1] == '.')
        plain[length - 1] = '\0';
    return plain;
}

/* "*.rest" without another star: its rest; otherwise NULL. */
static const char *find_rest(const char *pattern)
{
    return g_str_has_prefix(pattern, "*.") && !strpbrk(pattern + 2, "*?") ? pattern + 2 : NULL;
}

static gboolean is_same_or_subdomain(const char *rest, const char *host)
{
    gsize above = strlen(rest), length = strlen(host);
    return strcmp(rest, host) == 0 || (length > above + 1 && host[length - above - 1] == '.' &&
                                       strcmp(host + length - above, rest) == 0);
}

gboolean hf_host_pattern_fits(const char *pattern, const char *host)
{
    g_autofree char *wanted = dup_plain_host(pattern);
    g_autofree char *name = dup_plain_host(host);
    const char *rest = find_rest(wanted);
    if (!*name)
        return FALSE;
    return rest ? is_same_or_subdomain(rest, name) : g_pattern_match_simple(wanted, name);
}

gboolean hf_host_pattern_within(const char *outer, const char *inner)
{
    g_autofree char *wide = dup_plain_host(outer);
    g_autofree char *narrow = dup_plain_host(inner);
    const char *rest = find_rest(wide), *inner_rest = find_rest(narrow);
    if (strcmp(wide, "*") == 0 || strcmp(wide, narrow) == 0)
        return TRUE;
    if (!strpbrk(narrow, "*?"))
        return hf_host_pattern_fits(wide, narrow);
    return rest && inner_rest && is_same_or_subdomain(rest, inner_rest);
}
