/* SPDX-License-Identifier: Apache-2.0 */
/* Names of keys and key combinations, as keysyms. */
#pragma once

#include <glib.h>

/* The keysym for a name: "ctrl", "cmd", "enter", "f5", "a", "ä", "Page_Up", xdotool's names; case
 * is ignored for names longer than one character. INVALID_PARAMS for an unknown name. */
gboolean hf_key_parse(const char *name, guint32 *ret_keysym, GError **error);
/* "ctrl+shift+t" or {"ctrl", "shift", "t"} or a mix, flattened to keysyms in order. Next to ctrl,
 * alt or super a letter means the key, whatever its case. Checked by hf_keys_check. */
GArray *hf_keys_parse(const char *const *names, GError **error);
/* The same without that check, for the owner's own key combinations. */
GArray *hf_keys_parse_any(const char *const *names, GError **error);
/* The keysym that represents both sides of the keyboard, the keypad, and both cases of a letter. */
guint32 hf_key_fold(guint32 keysym);
/* Whether every key of `chord` is among `keysyms`, on either side of the keyboard. */
gboolean hf_keys_include(const GArray *keysyms, const GArray *chord);
/* DANGEROUS_ACTION_BLOCKED for combinations that are never pressed: the owner's stop keys
 * Ctrl+Shift+Escape, Ctrl+Alt with F1 to F12, and keys that act on the X server itself. */
gboolean hf_keys_check(const GArray *keysyms, GError **error);
