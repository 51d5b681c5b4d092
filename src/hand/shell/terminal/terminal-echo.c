/* SPDX-License-Identifier: Apache-2.0 */
/* Other letters in between do not end it: a prompt comes before the echo of the second line, and
 * shells write a space where a long line goes on. A password has none: the end of the line, which
 * comes all the same, says so. */
#include "hand/shell/terminal/terminal-echo.h"

void hf_terminal_echo_init(HfTerminalEcho *echo)
{
    *echo = (HfTerminalEcho){g_array_new(FALSE, FALSE, sizeof(gunichar)), 0};
}

void hf_terminal_echo_clear(HfTerminalEcho *echo)
{
    g_clear_pointer(&echo->letters, g_array_unref);
}

static gsize length_with_enter(const char *bytes, gsize length)
{
    while (length > 0 && bytes[length - 1] != '\r')
        length--;
    return length;
}

void hf_terminal_echo_expect(HfTerminalEcho *echo, const char *bytes, gsize length)
{
    g_array_set_size(echo->letters, 0);
    echo->at = 0;
    const char *end = bytes + length_with_enter(bytes, length);
    for (const char *at = bytes; at < end; at = g_utf8_next_char(at)) {
        gunichar letter = g_utf8_get_char_validated(at, end - at);
        if (letter == '\r')
            letter = '\n';
        else if (letter < 0x20 || letter == 0x7f || letter > 0x10ffff)
            return; /* keys that edit: what is seen of them is not known */
        g_array_append_val(echo->letters, letter);
    }
}

static gboolean is_next_echoed(const HfTerminalEcho *echo, gunichar letter)
{
    return echo->at < echo->letters->len &&
           g_array_index(echo->letters, gunichar, echo->at) == letter;
}

gboolean hf_terminal_echo_take(HfTerminalEcho *echo, gunichar letter)
{
    gboolean is_echo = is_next_echoed(echo, letter);
    echo->at += is_echo ? 1 : 0;
    return is_echo;
}

void hf_terminal_echo_end_line(HfTerminalEcho *echo)
{
    if (is_next_echoed(echo, '\n'))
        echo->at++;
    else
        echo->at = echo->letters->len;
}
