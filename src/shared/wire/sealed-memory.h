/* SPDX-License-Identifier: Apache-2.0 */
/* Immutable bytes behind a descriptor: passes a picture to another process without copying it
 * through a socket. */
#pragma once

#include <glib.h>

/* A sealed memory file, close-on-exec, at its beginning; -1 with LIMIT_EXCEEDED when memory or
 * descriptors are exhausted. */
int hf_sealed_memory_new(GBytes *bytes, GError **error);
