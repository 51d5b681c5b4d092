/* Some words of a line that was read from a picture, and where they stand in it: "Edit" of the line
 * "File Edit View" is to be clicked where it stands. Pure. */
#pragma once

#include "access/text-test.h"
#include "access/tree.h"

/* Empty when they are all of it, or cannot be placed. */
HfRect hf_phrase_find(const HfNode *node, const HfTextTest *test);
