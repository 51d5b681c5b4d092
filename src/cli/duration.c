/* SPDX-License-Identifier: Apache-2.0 */
/* A number and a unit, nothing else. */
#include "cli/duration.h"

#include <string.h>

gboolean hf_cli_parse_duration(const char *text, gint64 *ret_seconds)
{
    static const struct {
        const char *unit;
        gint64 seconds;
    } units[] = {{"", 1}, {"s", 1}, {"m", 60}, {"h", 3600}, {"d", 86400}};
    char *end;
    gint64 count = g_ascii_strtoll(text, &end, 10);
    for (gsize i = 0; end != text && i < G_N_ELEMENTS(units); i++)
        if (strcmp(units[i].unit, end) == 0 && count > 0 && count < 1000000000) {
            *ret_seconds = count * units[i].seconds;
            return TRUE;
        }
    return FALSE;
}

char *hf_cli_dup_time(const char *text)
{
    gint64 seconds;
    if (!hf_cli_parse_duration(text, &seconds))
        return g_strdup(text);
    g_autoptr(GDateTime) now = g_date_time_new_now_utc();
    g_autoptr(GDateTime) then = g_date_time_add_seconds(now, (double)seconds);
    return then ? g_date_time_format(then, "%Y-%m-%dT%H:%M:%SZ") : g_strdup(text);
}
