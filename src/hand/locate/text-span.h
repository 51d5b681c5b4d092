/* SPDX-License-Identifier: Apache-2.0 */
/* Where some words stand in a line that was read: "Edit" of the line "File Edit View" is clicked at
 * its own place. Pure. */
#pragma once

#include "hand/atspi/selector/text-condition.h"
#include "hand/atspi/tree/tree.h"

/* Empty when they are the whole line, or cannot be placed. */
HfRect hf_text_span_find(const HfNode *node, const HfTextCondition *test);
