/* SPDX-License-Identifier: Apache-2.0 */
/* How long a person must still be quiet on a desktop, and how often they have interrupted work
 * there. The stop gate's lock guards it. */
#pragma once

#include <glib.h>
#include <jansson.h>

typedef struct HfTakeovers HfTakeovers;

HfTakeovers *hf_takeovers_new(void);
void hf_takeovers_free(HfTakeovers *takeovers);
/* See hf_stop_gate_set_takeover. */
void hf_takeovers_configure(HfTakeovers *takeovers, gint64 quiet_us, guint times);

/* `working`: it interrupted something. TRUE when this is one interruption too many. */
gboolean hf_takeovers_note_input(HfTakeovers *takeovers, const char *desktop, gint64 at_us,
                                 gboolean working);
/* How long until the person counts as gone; 0: nobody is there. */
gint64 hf_takeovers_left(HfTakeovers *takeovers, const char *desktop);
/* Whether anybody has used that desktop; NULL: any desktop. */
gboolean hf_takeovers_any(HfTakeovers *takeovers, const char *desktop);
/* The owner resumes; NULL: everywhere. */
void hf_takeovers_forget(HfTakeovers *takeovers, const char *desktop);
json_t *hf_takeovers_describe(HfTakeovers *takeovers);
