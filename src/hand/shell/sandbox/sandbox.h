/* SPDX-License-Identifier: Apache-2.0 */
/* The sandbox puts walls around a process and everything it starts. A single-threaded process sets
 * them up from the inside, once, before it runs code that others wrote (shells, scripts). Either
 * every wall stands or the whole setup fails: nothing is skipped because a kernel lacks it.
 *
 * A plan is JSON:
 * {"open": bool,             limits only, no walls
 *  "network": bool,          share the machine's network
 *  "writable": [path],       directories to show at the same path, read and write
 *  "readable": [path],       directories to show read-only, besides the system's
 *  "covered": [path],        paths inside those to hide
 *  "home": path,             an empty home, unless it lies in a writable directory
 *  "limits": {"processes", "files", "file_bytes", "memory_bytes", "tmp_bytes"}} */
#pragma once

#include "shared/base/json.h"

/* Step 1: enters new namespaces. The next child is their first process; the kernel kills everything
 * inside when that child exits. */
gboolean hf_sandbox_unshare(const json_t *plan, GError **error);
/* Step 2, in that child: sets up the file system view and drops every privilege for good. */
gboolean hf_sandbox_close(const json_t *plan, GError **error);
/* Step 3, right before exec: sets the resource limits. */
gboolean hf_sandbox_limit(const json_t *plan, GError **error);

/* Tries the sandbox in child processes: {"ok": bool, "landlock": ABI, "problem": text, "repair":
 * what to do}. */
json_t *hf_sandbox_probe(void);
