/* SPDX-License-Identifier: Apache-2.0 */
/* Keys as pages know them: by the value, the place and the old number of a key event. */
#pragma once

#include <glib.h>
#include <jansson.h>

/* Modifiers of the browser's protocol. */
enum { HF_DOM_ALT = 1, HF_DOM_CTRL = 2, HF_DOM_META = 4, HF_DOM_SHIFT = 8 };

/* The modifier that a keysym is; 0: none. */
int hf_dom_key_modifier(guint32 keysym);
/* The members of Input.dispatchKeyEvent for a key that goes down or up with these modifiers; NULL
 * when pages know no such key. */
json_t *hf_dom_key_event(guint32 keysym, gboolean down, int modifiers);
