/* SPDX-License-Identifier: Apache-2.0 */
/* What was read of a program before, brought up to date by what was heard of it since. One question
 * makes sure that everything which the program has said by now was heard. */
#pragma once

#include "hand/atspi/read/tree-reader.h"

/* Whether what the reader holds is what this scope would read. */
gboolean hf_tree_cache_fits(const HfTreeReader *reader, const HfTreeScope *scope);
/* The questions: is it there, and where are its windows? */
void hf_tree_cache_begin(HfTreeReader *reader);
/* After they were answered: mends what has changed, which may ask for places again. FALSE: it has
 * to be read anew. */
gboolean hf_tree_cache_update(HfTreeReader *reader);
/* Whether it can be kept for the next time. */
gboolean hf_tree_cache_is_worthwhile(const HfTreeReader *reader);
