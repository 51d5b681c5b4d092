/* SPDX-License-Identifier: Apache-2.0 */
/* A root of one's own: only what a plan names is there, at the same places as ever, and the
 * system's programs, to read. Sockets, homes and runtime directories of others do not exist in it.
 */
#pragma once

#include "shared/base/json.h"

/* In a new mount, user and process namespace, by its first process. After it the old root is gone.
 * The plan is that of sandbox.h. */
gboolean hf_sandbox_root(const json_t *plan, GError **error);
