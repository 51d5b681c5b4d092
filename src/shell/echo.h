/* What of that which comes from a terminal is only what was typed there. Nobody says so: it is
 * taken for the echo when the same letters come in the same order. */
#pragma once

#include <glib.h>

typedef struct HfEcho {
    GArray *letters; /* gunichar: those that are still to come, from `at` on; '\n': enter */
    guint at;
} HfEcho;

void hf_echo_init(HfEcho *echo);
void hf_echo_clear(HfEcho *echo);

/* Bytes as they are typed, in place of what was expected before. */
void hf_echo_expect(HfEcho *echo, const char *bytes, gsize length);
/* A letter has come: whether it is one of them. */
gboolean hf_echo_take(HfEcho *echo, gunichar letter);
/* A line was ended: if that is not the end of the line that was typed, there is no echo. */
void hf_echo_end_line(HfEcho *echo);
