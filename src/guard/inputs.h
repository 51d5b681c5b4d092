/* Whose hands were last on the desktops that belong to a person: ours or theirs. An agent that
 * types into the owner's own terminal must not pass for the owner, so what only the owner may do
 * waits until a person has pressed something there, or until it has been quiet for a while. */
#pragma once

#include <glib.h>

typedef struct HfInputs HfInputs;

HfInputs *hf_inputs_new(void);
void hf_inputs_free(HfInputs *inputs);

/* For attached desktops only, with times of the monotonic clock: an event of ours went or goes
 * there; a person pressed a key or a button there; the desktop is ours no more. */
void hf_inputs_note_ours(HfInputs *inputs, const char *desktop, gint64 at_us);
void hf_inputs_note_press(HfInputs *inputs, const char *desktop, gint64 at_us);
void hf_inputs_forget(HfInputs *inputs, const char *desktop);

/* FORBIDDEN when the last input on any of them was ours and is younger than
 * HF_LIMIT_INPUT_QUIET_MS. */
gboolean hf_inputs_check(HfInputs *inputs, gint64 now_us, GError **error);
