/* SPDX-License-Identifier: Apache-2.0 */
/* The bytes that a terminal sends for a key. */
#pragma once

#include <glib.h>

/* Appends the bytes of a key: "enter", "ctrl+c", "alt+x", "shift+tab", "f5", "a". `application`:
 * the program wants application cursor keys. INVALID_PARAMS for an unknown key. */
gboolean hf_terminal_keys_append(GString *bytes, const char *name, gboolean application,
                                 GError **error);
