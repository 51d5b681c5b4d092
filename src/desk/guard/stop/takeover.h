/* SPDX-License-Identifier: Apache-2.0 */
/* Whose desktop it is just now: for how long a person must still be quiet, and how often they have
 * interrupted the same piece of work. Not locked: the gate's. */
#pragma once

#include <glib.h>
#include <jansson.h>

typedef struct HfTakeovers HfTakeovers;

HfTakeovers *hf_takeovers_new(void);
void hf_takeovers_free(HfTakeovers *takeovers);

void hf_takeovers_set(HfTakeovers *takeovers, gint64 quiet_us, guint times);
/* TRUE when this is one interruption too many. */
gboolean hf_takeovers_note_input(HfTakeovers *takeovers, const char *desktop, gint64 at_us,
                                 gboolean working);
/* How long until the person counts as gone; 0 when nobody is there. */
gint64 hf_takeovers_left(HfTakeovers *takeovers, const char *desktop);
gboolean hf_takeovers_any(HfTakeovers *takeovers, const char *desktop); /* NULL: any */
/* The owner says go on; NULL: everywhere. */
void hf_takeovers_forget(HfTakeovers *takeovers, const char *desktop);
json_t *hf_takeovers_describe(HfTakeovers *takeovers);
