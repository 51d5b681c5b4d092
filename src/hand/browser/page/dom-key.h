/* SPDX-License-Identifier: Apache-2.0 */
/* Keys as DOM key events: key, code and keyCode. */
#pragma once

#include <glib.h>
#include <jansson.h>

/* Modifiers of Input.dispatchKeyEvent. */
enum { HF_DOM_ALT = 1, HF_DOM_CTRL = 2, HF_DOM_META = 4, HF_DOM_SHIFT = 8 };

/* The modifier of a keysym; 0: it is none. */
int hf_dom_key_modifier(guint32 keysym);
/* The parameters of Input.dispatchKeyEvent for a key with these modifiers; NULL if DOM events have
 * no such key. */
json_t *hf_dom_key_event(guint32 keysym, gboolean down, int modifiers);
