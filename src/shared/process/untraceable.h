/* SPDX-License-Identifier: Apache-2.0 */
/* Protects this process from others of the same user: nobody can trace it, read its memory or
 * environment, or make it dump core. */
#pragma once

#include <glib.h>

/* For a process that nobody has to look at: desk, stage and hand. */
void hf_untraceable_begin(void);
/* For one that is looked at from time to time: the desk must see who connects to it. */
void hf_untraceable_set(gboolean untraceable);
