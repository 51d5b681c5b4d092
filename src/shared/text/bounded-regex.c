/* SPDX-License-Identifier: Apache-2.0 */
/* The bounds are written in front of the expression, where nothing in it can change them. */
#include "shared/text/bounded-regex.h"

#include <string.h>

#include "shared/base/error.h"

#define DEPTH 2000

/* GLib's message begins with the whole expression, including our bounds. */
static const char *get_regex_reason(const GError *problem)
{
    const char *last = g_strrstr(problem->message, ": ");
    return last ? last + strlen(": ") : problem->message;
}

GRegex *hf_bounded_regex_new(const char *pattern, guint patience, GError **error)
{
    g_autoptr(GError) problem = NULL;
    g_autofree char *bounded =
        g_strdup_printf("(*LIMIT_MATCH=%u)(*LIMIT_DEPTH=%d)%s", patience, DEPTH, pattern);
    GRegex *regex = g_regex_new(bounded, 0, 0, &problem);
    if (!regex)
        hf_fail(error, HF_ERROR_INVALID_PARAMS, "'%s' is not a regular expression: %s", pattern,
                get_regex_reason(problem));
    return regex;
}
