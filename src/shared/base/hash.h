/* SPDX-License-Identifier: Apache-2.0 */
/* Hashes for lookups. Not for secrets. */
#pragma once

#include <glib.h>

/* Continues a hash with one more value. */
static inline guint64 hf_hash_mix(guint64 hash, guint64 value)
{
    hash = (hash ^ value) * G_GUINT64_CONSTANT(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}
