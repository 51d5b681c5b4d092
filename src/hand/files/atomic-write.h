/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a small file so that it exists as a whole or not at all. */
#pragma once

#include <glib.h>

/* Writes a temporary file next to it, syncs it and then gives it its name. An existing file is an
 * error (EEXIST) unless `replace` is set. On failure returns FALSE with errno, and nothing is left
 * behind. */
gboolean hf_atomic_write(int directory, const char *name, gconstpointer data, gsize size,
                         gboolean replace);
/* Writes all bytes, in as many calls as it takes. FALSE with errno. */
gboolean hf_atomic_write_bytes(int fd, gconstpointer data, gsize size);
/* Syncs a directory that is open with O_PATH. */
void hf_atomic_write_sync_directory(int directory);
