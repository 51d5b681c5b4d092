/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the name that somebody meant who misspelt it. */
#pragma once

#include <glib.h>

/* The nearest candidate, borrowed; NULL when none is near. Case, hyphens and underscores make no
 * difference. */
const char *hf_closest_name(const char *word, const GPtrArray *candidates);
