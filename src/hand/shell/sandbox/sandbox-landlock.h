/* SPDX-License-Identifier: Apache-2.0 */
/* Landlock restricts what can be done with visible files, and blocks signals and abstract sockets
 * to processes outside. It is the second wall, behind the private root. */
#pragma once

#include <glib.h>

/* The kernel's Landlock ABI version; 0 if it has none. */
int hf_sandbox_landlock_abi(void);
/* Whether this kernel can block abstract sockets of programs outside. */
gboolean hf_sandbox_landlock_scopes(void);
/* Allows reading and executing under "/", and changing files under `writable`. Needs no_new_privs.
 */
gboolean hf_sandbox_landlock(const char *const *writable, GError **error);
