/* SPDX-License-Identifier: Apache-2.0 */
/* Takeovers: how long a person must still be quiet on a desktop, and how often they have
 * interrupted work there. Not thread-safe: the gate's lock guards it. */
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
/* How long until the person counts as gone; 0: nobody is there. */
gint64 hf_takeovers_left(HfTakeovers *takeovers, const char *desktop);
gboolean hf_takeovers_any(HfTakeovers *takeovers, const char *desktop); /* NULL: any */
/* The owner resumes; NULL: everywhere. */
void hf_takeovers_forget(HfTakeovers *takeovers, const char *desktop);
json_t *hf_takeovers_describe(HfTakeovers *takeovers);
