/* SPDX-License-Identifier: Apache-2.0 */
/* Landlock: what may be done with the files that are there, and that nobody outside is signalled or
 * spoken to. The second wall behind a root of one's own. */
#pragma once

#include <glib.h>

/* The kernel's version of it; 0: it has none. */
int hf_sandbox_landlock_abi(void);
/* Whether it keeps processes from sockets without a place among the files, of programs outside. */
gboolean hf_sandbox_landlock_scopes(void);
/* Everything under "/" may be read and executed, what is under these also changed.
 * no_new_privs must be set. */
gboolean hf_sandbox_landlock(const char *const *writable, GError **error);
