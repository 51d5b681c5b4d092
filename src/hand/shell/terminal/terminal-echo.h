/* SPDX-License-Identifier: Apache-2.0 */
/* What of that which comes from a terminal is only what was typed there. Nobody says so: it is
 * taken for the echo when the same letters come in the same order. */
#pragma once

#include <glib.h>

typedef struct HfTerminalEcho {
    GArray *letters; /* gunichar: those that are still to come, from `at` on; '\n': enter */
    guint at;
} HfTerminalEcho;

void hf_terminal_echo_init(HfTerminalEcho *echo);
void hf_terminal_echo_clear(HfTerminalEcho *echo);

/* Bytes as they are typed, in place of what was expected before. */
void hf_terminal_echo_expect(HfTerminalEcho *echo, const char *bytes, gsize length);
/* A letter has come: whether it is one of them. */
gboolean hf_terminal_echo_take(HfTerminalEcho *echo, gunichar letter);
/* A line was ended: if that is not the end of the line that was typed, there is no echo. */
void hf_terminal_echo_end_line(HfTerminalEcho *echo);
