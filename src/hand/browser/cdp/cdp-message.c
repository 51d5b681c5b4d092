/* SPDX-License-Identifier: Apache-2.0 */
/* Nearly all messages parse as they are. Others are repaired, inside their strings only, and parsed
 * again. */
#include "hand/browser/cdp/cdp-message.h"

#include <string.h>

#define REPLACEMENT "\\ufffd"
#define ESCAPE      6 /* bytes of \u0000 */

/* The UTF-16 unit of \uXXXX at `at`; -1 if there is none. */
static int unit_at(const char *at, const char *end)
{
    int unit = 0;
    if (end - at < ESCAPE || at[0] != '\\' || at[1] != 'u')
        return -1;
    for (int i = 2; i < ESCAPE; i++) {
        int digit = g_ascii_xdigit_value(at[i]);
        if (digit < 0)
            return -1;
        unit = unit * 16 + digit;
    }
    return unit;
}

static gboolean is_upper_half(int unit)
{
    return unit >= 0xd800 && unit < 0xdc00;
}

static gboolean is_lower_half(int unit)
{
    return unit >= 0xdc00 && unit < 0xe000;
}

/* Appends the escape at `at`, repaired if needed; returns its length. */
static gsize repair_escape(GString *repaired, const char *at, const char *end)
{
    int unit = unit_at(at, end);
    int next = unit >= 0 ? unit_at(at + ESCAPE, end) : -1;
    gsize length = MIN(2, (gsize)(end - at));
    if (is_upper_half(unit) && is_lower_half(next))
        length = 2 * (gsize)ESCAPE;
    else if (unit == 0 || is_upper_half(unit) || is_lower_half(unit)) {
        g_string_append(repaired, REPLACEMENT);
        return ESCAPE;
    }
    g_string_append_len(repaired, at, (gssize)length);
    return length;
}

static json_t *parse_repaired(const char *text, gsize length)
{
    g_autofree char *valid = g_utf8_make_valid(text, (gssize)length);
    const char *at = valid, *end = valid + strlen(valid);
    g_autoptr(GString) repaired = g_string_sized_new(length);
    while (at < end) {
        const char *escape = memchr(at, '\\', (gsize)(end - at));
        g_string_append_len(repaired, at, (escape ? escape : end) - at);
        at = escape ? escape + repair_escape(repaired, escape, end) : end;
    }
    return json_loadb(repaired->str, repaired->len, 0, NULL);
}

json_t *hf_cdp_message_parse(const char *text, gsize length)
{
    json_t *message = json_loadb(text, length, 0, NULL);
    /* What does not even begin like a message cannot be repaired. */
    return message || length == 0 || text[0] != '{' ? message : parse_repaired(text, length);
}
