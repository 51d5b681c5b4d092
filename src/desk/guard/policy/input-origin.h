/* SPDX-License-Identifier: Apache-2.0 */
/* Whose hands were last on the desktops that belong to a person: ours or theirs. An agent that
 * types into the owner's own terminal must not pass for the owner, so what only the owner may do
 * waits until a person has pressed something there, or until it has been quiet for a while. */
#pragma once

#include <glib.h>

typedef struct HfInputOrigin HfInputOrigin;

HfInputOrigin *hf_input_origin_new(void);
void hf_input_origin_free(HfInputOrigin *inputs);

/* For attached desktops only, with times of the monotonic clock: an event of ours went or goes
 * there; a person pressed a key or a button there; the desktop is ours no more. */
void hf_input_origin_note_ours(HfInputOrigin *inputs, const char *desktop, gint64 at_us);
void hf_input_origin_note_press(HfInputOrigin *inputs, const char *desktop, gint64 at_us);
void hf_input_origin_forget(HfInputOrigin *inputs, const char *desktop);

/* FORBIDDEN when the last input on any of them was ours and is younger than
 * HF_LIMIT_INPUT_QUIET_MS. */
gboolean hf_input_origin_check(HfInputOrigin *inputs, gint64 now_us, GError **error);
