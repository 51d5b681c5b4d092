/* A trailing dot is the same host; so is another case. What cannot be decided is no. */
#include "base/domain.h"

#include <string.h>

static char *dup_plain(const char *name)
{
    char *plain = g_ascii_strdown(name, -1);
    gsize length = strlen(plain);
    if (length > 1 && plain[length - 1] == '.')
        plain[length - 1] = '\0';
    return plain;
}

/* "*.rest" without another star: its rest; else NULL. */
static const char *find_rest(const char *pattern)
{
    return g_str_has_prefix(pattern, "*.") && !strpbrk(pattern + 2, "*?") ? pattern + 2 : NULL;
}

static gboolean is_below(const char *rest, const char *host)
{
    gsize above = strlen(rest), length = strlen(host);
    return strcmp(rest, host) == 0 || (length > above + 1 && host[length - above - 1] == '.' &&
                                       strcmp(host + length - above, rest) == 0);
}

gboolean hf_domain_fits(const char *pattern, const char *host)
{
    g_autofree char *wanted = dup_plain(pattern);
    g_autofree char *name = dup_plain(host);
    const char *rest = find_rest(wanted);
    if (!*name)
        return FALSE;
    return rest ? is_below(rest, name) : g_pattern_match_simple(wanted, name);
}

gboolean hf_domain_within(const char *outer, const char *inner)
{
    g_autofree char *wide = dup_plain(outer);
    g_autofree char *narrow = dup_plain(inner);
    const char *rest = find_rest(wide), *inner_rest = find_rest(narrow);
    if (strcmp(wide, "*") == 0 || strcmp(wide, narrow) == 0)
        return TRUE;
    if (!strpbrk(narrow, "*?"))
        return hf_domain_fits(wide, narrow);
    return rest && inner_rest && is_below(rest, inner_rest);
}
