/* SPDX-License-Identifier: Apache-2.0 */
/* Who gave the last input on the desktops that a person uses: we or the person. An agent that types
 * into the owner's terminal must not pass for the owner. So what only the owner may do waits until
 * a person has pressed something there, or until we have been quiet for a while. */
#pragma once

#include <glib.h>

typedef struct HfInputOrigin HfInputOrigin;

HfInputOrigin *hf_input_origin_new(void);
void hf_input_origin_free(HfInputOrigin *inputs);

/* For attached desktops only, with monotonic times: we inject input; a person pressed a key or a
 * button; the desktop was removed. */
void hf_input_origin_note_ours(HfInputOrigin *inputs, const char *desktop, gint64 at_us);
void hf_input_origin_note_press(HfInputOrigin *inputs, const char *desktop, gint64 at_us);
void hf_input_origin_forget(HfInputOrigin *inputs, const char *desktop);

/* After our own input on the owner's desktop, and none of theirs since, the guard refuses for this
 * long what only the owner may do: it could be the agent that types. */
#define HF_LIMIT_INPUT_QUIET_MS 60000
/* FORBIDDEN when the last input on any of them was ours, within HF_LIMIT_INPUT_QUIET_MS. */
gboolean hf_input_origin_check(HfInputOrigin *inputs, gint64 now_us, GError **error);
