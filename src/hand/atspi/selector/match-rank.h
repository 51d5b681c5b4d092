/* SPDX-License-Identifier: Apache-2.0 */
/* What was found, brought into order. */
#pragma once

#include "hand/atspi/selector/selector-match.h"

/* Sorts, leaves out what is the same thing twice (a button and the label in it), and finds how many
 * are equally good. */
HfMatches *hf_matches_new(const HfTree *tree, const HfSelector *selector, GArray *take_found);
