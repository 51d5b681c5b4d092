/* SPDX-License-Identifier: Apache-2.0 */
/* Some words of a line that was read from a picture, and where they stand in it: "Edit" of the line
 * "File Edit View" is to be clicked where it stands. Pure. */
#pragma once

#include "hand/atspi/selector/text-condition.h"
#include "hand/atspi/tree/tree.h"

/* Empty when they are all of it, or cannot be placed. */
HfRect hf_phrase_find(const HfNode *node, const HfTextCondition *test);
