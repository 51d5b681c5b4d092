/* SPDX-License-Identifier: Apache-2.0 */
/* A private root file system: it holds only what the plan names, at the usual paths, and the
 * system's programs read-only. Sockets, homes and runtime directories of others do not exist in it.
 */
#pragma once

#include "shared/base/json.h"

/* The first process of new mount, user and process namespaces calls this. Afterwards the old root
 * is gone. The plan is that of sandbox.h. */
gboolean hf_sandbox_root(const json_t *plan, GError **error);
