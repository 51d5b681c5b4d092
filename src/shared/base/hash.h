/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers made of what things look like. Not for secrets. */
#pragma once

#include <glib.h>

/* A hash that goes on with one more value. */
static inline guint64 hf_hash_mix(guint64 hash, guint64 value)
{
    hash = (hash ^ value) * G_GUINT64_CONSTANT(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}
