/* SPDX-License-Identifier: Apache-2.0 */
/* A program's last reading, brought up to date by the events since. A ping makes sure that every
 * event the program has sent by now was received. */
#pragma once

#include "hand/atspi/read/tree-reader.h"

/* Whether the cached reading covers this scope. */
gboolean hf_tree_cache_fits(const HfTreeReader *reader, const HfTreeScope *scope);
/* Asks whether the program is there, and where its windows are. */
void hf_tree_cache_begin(HfTreeReader *reader);
/* After the replies: applies the changes, which may ask for extents again. FALSE: read it afresh.
 */
gboolean hf_tree_cache_update(HfTreeReader *reader);
/* Whether this reading can be cached for the next time. */
gboolean hf_tree_cache_is_worthwhile(const HfTreeReader *reader);
