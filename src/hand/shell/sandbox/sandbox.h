/* SPDX-License-Identifier: Apache-2.0 */
/* Walls around a process and everything that it starts: put up once, from the inside, by a process
 * of one thread that has nothing open that must not be reached. Whoever runs what others wrote
 * (shells, scripts) goes through here. Each wall stands or the whole fails: nothing is skipped
 * because a kernel cannot do it.
 *
 * A plan is JSON:
 * {"open": bool,             only limits, no walls
 *  "network": bool,          whether it shares the machine's network
 *  "writable": [path],       directories that are there, at the same place, to read and write
 *  "readable": [path],       directories that are there to read, besides the system's own
 *  "covered": [path],        places within those that are hidden
 *  "home": path,             there and empty, unless it lies in a writable directory
 *  "limits": {"processes", "files", "file_bytes", "memory_bytes", "tmp_bytes"}} */
#pragma once

#include "shared/base/json.h"

/* First, on its own: leaves the namespaces of the user. The next child is the first process of a
 * new world; when that one ends, the kernel ends everything in it. */
gboolean hf_sandbox_unshare(const json_t *plan, GError **error);
/* Then, in that child: what is to be seen of the files, and no way back. */
gboolean hf_sandbox_close(const json_t *plan, GError **error);
/* Last, right before another program takes over: how much it may use. */
gboolean hf_sandbox_limit(const json_t *plan, GError **error);

/* What this kernel can do, tried in processes of its own: {"ok": bool, "landlock": ABI, "problem":
 * text, "repair": what to do}. */
json_t *hf_sandbox_probe(void);
