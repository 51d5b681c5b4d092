/* SPDX-License-Identifier: Apache-2.0 */
/* Which files belong to the system: installed by an administrator, and nobody else can change
 * them. */
#pragma once

#include <glib.h>

/* Whether a real path (without links) is a file of the system: below one of its directories, owned
 * by root, and not writable by others. */
gboolean hf_system_file_is(const char *real);
