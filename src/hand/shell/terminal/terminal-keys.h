/* SPDX-License-Identifier: Apache-2.0 */
/* What a terminal sends for a key. */
#pragma once

#include <glib.h>

/* A key by its name, with ctrl, alt and shift before it: "enter", "ctrl+c", "alt+x", "shift+tab",
 * "f5", "a". `application`: the program wants cursor keys in their other form. INVALID_PARAMS. */
gboolean hf_terminal_keys_append(GString *bytes, const char *name, gboolean application,
                                 GError **error);
