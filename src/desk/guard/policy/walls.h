/* SPDX-License-Identifier: Apache-2.0 */
/* The walls of a call: directories, domains and sizes. The desk computes them, and the hand
 * enforces them. */
#pragma once

#include "desk/guard/passage.h"

/* {"directories": [[path]], "denied": [pattern], "max_file_size", "domains": {"allowed": [[glob]],
 * "blocked": [glob]}, "open", "caller"}: a path must lie in one directory of each list, and a host
 * match one glob of each. For shells also "shell": their settings, with "hidden": the desk's own
 * files. Paths are absolute. `open`: the caller has full control and no grant restricts it, so its
 * shells need no walls; file tools have theirs all the same. `caller` owns what the call starts.
 * NULL for a tool without walls. */
json_t *hf_walls_for_call(const HfPassage *passage);
