/* SPDX-License-Identifier: Apache-2.0 */
/* Other characters in between do not end an echo: a prompt comes before the echo of the second
 * line, and shells write a space where a long line wraps. A password is not echoed, but the end of
 * its line is, and that ends the wait. */
#include "hand/shell/terminal/terminal-echo.h"

void hf_terminal_echo_init(HfTerminalEcho *echo)
{
    *echo = (HfTerminalEcho){g_array_new(FALSE, FALSE, sizeof(gunichar)), 0};
}

void hf_terminal_echo_clear(HfTerminalEcho *echo)
{
    g_clear_pointer(&echo->characters, g_array_unref);
}

void hf_terminal_echo_expect(HfTerminalEcho *echo, const char *bytes, gsize length)
{
    g_array_set_size(echo->characters, 0);
    echo->at = 0;
    while (length > 0 && bytes[length - 1] != '\r')
        length--;
    const char *end = bytes + length;
    for (const char *at = bytes; at < end; at = g_utf8_next_char(at)) {
        gunichar character = g_utf8_get_char_validated(at, end - at);
        if (character == '\r')
            character = '\n';
        else if (character < 0x20 || character == 0x7f || character > 0x10ffff)
            return; /* keys that edit: their echo is unpredictable */
        g_array_append_val(echo->characters, character);
    }
}

static gboolean is_next_echoed(const HfTerminalEcho *echo, gunichar character)
{
    return echo->at < echo->characters->len &&
           g_array_index(echo->characters, gunichar, echo->at) == character;
}

gboolean hf_terminal_echo_take(HfTerminalEcho *echo, gunichar character)
{
    gboolean is_echo = is_next_echoed(echo, character);
    echo->at += is_echo ? 1 : 0;
    return is_echo;
}

void hf_terminal_echo_end_line(HfTerminalEcho *echo)
{
    if (is_next_echoed(echo, '\n'))
        echo->at++;
    else
        echo->at = echo->characters->len;
}
