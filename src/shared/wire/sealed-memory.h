/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes behind a descriptor that nobody can change any more: for handing a picture to another
 * process without copying it through a socket. */
#pragma once

#include <glib.h>

/* A sealed memory file, close-on-exec, its position at the beginning; -1 with LIMIT_EXCEEDED when
 * there is no memory or no descriptor left. */
int hf_sealed_memory_new(GBytes *bytes, GError **error);
