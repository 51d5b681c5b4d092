/* SPDX-License-Identifier: Apache-2.0 */
/* Writing a small file of our own so that it is there as a whole or not at all. */
#pragma once

#include <glib.h>

/* Beside, synced, then under its name; `replace`: also when one of that name is there, else EEXIST.
 * FALSE with the reason in errno, and nothing is left. */
gboolean hf_atomic_write(int directory, const char *name, gconstpointer data, gsize size,
                         gboolean replace);
/* All of it, whatever the system takes at a time. FALSE with errno. */
gboolean hf_atomic_write_bytes(int fd, gconstpointer data, gsize size);
