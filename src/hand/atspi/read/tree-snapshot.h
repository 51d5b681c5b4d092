/* SPDX-License-Identifier: Apache-2.0 */
/* The structure of what is on a desktop, as its programs tell it. Made with the first question
 * about it; until then nothing of this runs or takes memory. */
#pragma once

#include "hand/atspi/read/tree-scope.h"
#include "hand/atspi/tree/tree.h"
#include "hand/desktop/desktop.h"
#include "shared/base/deadline.h"

/* Reads what the scope asks for. Never longer than its max_ms and the deadline: what was not
 * answered by then is left out, and the tree says so. Each node's bounds are physical pixels of the
 * screen. UNSUPPORTED when the desktop has no accessibility bus, WINDOW_NOT_FOUND. */
HfTree *hf_tree_read(const HfCallContext *context, const HfTreeScope *scope,
                     const HfDeadline *deadline, GError **error);
