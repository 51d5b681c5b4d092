/* SPDX-License-Identifier: Apache-2.0 */
/* What somebody may have meant who has misspelt a name. */
#pragma once

#include <glib.h>

/* The candidate that is nearest to the word, borrowed; NULL when none is near. Case, hyphens and
 * underscores make no difference. */
const char *hf_closest_name(const char *word, const GPtrArray *candidates);
