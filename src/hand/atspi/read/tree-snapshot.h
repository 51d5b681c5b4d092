/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the accessibility trees of a desktop's programs. Nothing of this runs or takes memory
 * before the first call. */
#pragma once

#include "hand/atspi/read/tree-scope.h"
#include "hand/atspi/tree/tree.h"
#include "hand/desktop/desktop.h"
#include "shared/base/deadline.h"

/* Reads the scope, for at most its max_ms and the deadline: what is not answered by then is left
 * out, and the tree says so. Bounds are physical pixels of the screen. UNSUPPORTED when the desktop
 * has no accessibility bus, WINDOW_NOT_FOUND. */
HfTree *hf_tree_read(const HfCallContext *context, const HfTreeScope *scope,
                     const HfDeadline *deadline, GError **error);
