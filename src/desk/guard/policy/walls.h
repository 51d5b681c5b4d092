/* SPDX-License-Identifier: Apache-2.0 */
/* Within which walls a call may work: directories, domains, sizes. The desk decides, the hand
 * enforces: they go with the call. */
#pragma once

#include "desk/guard/passage.h"

/* {"directories": [[path]], "denied": [pattern], "max_file_size", "domains": {"allowed": [[glob]],
 * "blocked": [glob]}, "open", "caller"}: a path must lie in one directory of each list, a host fit
 * one glob of each. For shells also "shell": what the agreement says of them, and "hidden" there:
 * what is the desk's own. Paths are absolute. `open`: the caller has full control and no grant says
 * where it may go, so that a shell of its needs no walls; files have theirs all the same. `caller`
 * is whom what it starts belongs to. NULL for a tool that is not walled. */
json_t *hf_walls_for_call(const HfPassage *passage);
