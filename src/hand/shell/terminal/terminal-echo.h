/* SPDX-License-Identifier: Apache-2.0 */
/* Detects the echo of what was typed. Nothing marks an echo: characters count as echo if they come
 * back in the order in which they were typed. */
#pragma once

#include <glib.h>

typedef struct HfTerminalEcho {
    GArray *characters; /* gunichar, expected from `at` on; '\n': enter */
    guint at;
} HfTerminalEcho;

void hf_terminal_echo_init(HfTerminalEcho *echo);
void hf_terminal_echo_clear(HfTerminalEcho *echo);

/* Replaces what was expected before. */
void hf_terminal_echo_expect(HfTerminalEcho *echo, const char *bytes, gsize length);
/* Whether this character, which the program has just written, belongs to the echo. */
gboolean hf_terminal_echo_take(HfTerminalEcho *echo, gunichar character);
/* The program ended a line. If the typed line does not end here, there is no echo. */
void hf_terminal_echo_end_line(HfTerminalEcho *echo);
