/* SPDX-License-Identifier: Apache-2.0 */
/* Ranks the elements that match. */
#pragma once

#include "hand/atspi/selector/selector-match.h"

/* Sorts by score, drops duplicates (a button and the label in it), and counts the equally good
 * ones.
 */
HfMatches *hf_matches_new(const HfTree *tree, const HfSelector *selector, GArray *take_found);
